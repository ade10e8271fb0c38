import { become } from './become.mjs';

await become('server', 'archive-command', 'main.ts');
