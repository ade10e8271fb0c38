import { become } from './become.mjs';

await become('tools', 'paths', 'main.ts');
