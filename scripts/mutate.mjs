import { become } from './become.mjs';

await become('tests', 'mutate', 'main.ts');
