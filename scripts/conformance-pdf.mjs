import path from 'node:path';
import { ensureBrowser } from './browser.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { loudly, root } from './processes.mjs';
import { endWith } from './terminal.mjs';

const node = await ensureDependencies().catch(endWith);
const browser = await ensureBrowser(node).catch(endWith);
process.exit(
  await loudly(node, [path.join(root, 'tools', 'conformance', 'main.ts'), ...process.argv.slice(2)], {
    env: { ...process.env, DENTARIUM_CHROMIUM: browser },
  }),
);
