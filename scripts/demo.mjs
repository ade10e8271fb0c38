import { become } from './become.mjs';

await become('server', 'demo-seed', 'many-main.ts');
