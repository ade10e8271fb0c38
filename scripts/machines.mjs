import { become } from './become.mjs';

await become('tests', 'machines', 'page', 'main.ts');
