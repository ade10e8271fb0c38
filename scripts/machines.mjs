import path from 'node:path';
import { ensureDependencies } from './dependencies.mjs';
import { loudly, root } from './processes.mjs';
import { endWith } from './terminal.mjs';

const node = await ensureDependencies().catch(endWith);
process.exit(await loudly(node, [path.join(root, 'tests', 'machines', 'page', 'main.ts'), ...process.argv.slice(2)]));
