import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ensureBrowser } from './browser.mjs';
import { ensureBuild } from './build.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { loudly, root } from './processes.mjs';
import { endWith } from './terminal.mjs';

// What the tests walk of every machine: `npm run cover`, and with `-- --journeys` also in the browser.
const withJourneys = process.argv.includes('--journeys');
const node = await ensureDependencies().catch(endWith);
const folder = path.join(root, 'test-results', 'cover');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

const module = (...parts) => path.join(root, 'node_modules', ...parts);
const env = { ...process.env, DENTARIUM_COVER: folder };
const projects = ['machines', 'services', 'views'].flatMap((name) => ['--project', name]);
const codes = [await loudly(node, [module('vitest', 'vitest.mjs'), 'run', ...projects], { env })];
if (withJourneys) {
  await ensureBuild(node).catch(endWith);
  const browser = await ensureBrowser(node).catch(endWith);
  const walks = [module('@playwright', 'test', 'cli.js'), 'test', '--project=e2e', 'walks'];
  codes.push(await loudly(node, walks, { env: { ...env, DENTARIUM_CHROMIUM: browser } }));
}
const report = [path.join(root, 'tools', 'coverage', 'main.ts'), ...(withJourneys ? [] : ['--without-journeys'])];
codes.push(await loudly(node, report));
process.exit(Math.max(...codes));
