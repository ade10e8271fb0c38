import path from 'node:path';
import { ensureBuild } from './build.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { loudly, root } from './processes.mjs';
import { endWith } from './terminal.mjs';

const node = await ensureDependencies().catch(endWith);
const args = process.argv.slice(2);
if (args.includes('--run')) await ensureBuild(node).catch(endWith);
process.exit(await loudly(node, [path.join(root, 'stand-ins', 'main.ts'), ...args]));
