import { become } from './become.mjs';

await become('tests', 'machines', 'paths', 'main.ts');
