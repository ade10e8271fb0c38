import { become } from './become.mjs';

await become('tools', 'mutation', 'main.ts');
