import { become } from './become.mjs';

await become('tools', 'machine-pages', 'main.ts');
