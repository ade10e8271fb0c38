import { become } from './become.mjs';

await become('server', 'seed', 'many-main.ts');
