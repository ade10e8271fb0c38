import { existsSync } from 'node:fs';
import path from 'node:path';
import { quietly, root } from './processes.mjs';
import { Plain, step } from './terminal.mjs';

const usual = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** A browser counts only when it starts and answers. */
const answers = (program) =>
  quietly(program, ['--version']).then(
    () => true,
    () => false,
  );

const present = async () => {
  const named = process.env.DENTARIUM_CHROMIUM;
  if (named) {
    if (await answers(named)) return named;
    throw new Plain(`DENTARIUM_CHROMIUM names ${named}, which does not start.`);
  }
  for (const program of usual) if (existsSync(program) && (await answers(program))) return program;
  return null;
};

const playwrights = async (node) => {
  const script = "import('playwright').then(({ chromium }) => process.stdout.write(chromium.executablePath()))";
  const program = (await quietly(node, ['--input-type=module', '-e', script]).catch(() => '')).trim();
  return program && existsSync(program) && (await answers(program)) ? program : null;
};

const attempt = (text, command, args, env) =>
  step(text, () => quietly(command, args, { env: { ...process.env, ...env } })).then(
    () => null,
    (error) => error.message.split('\n').at(-1),
  );

/**
 * A Chromium for the tests: one that is there, else Playwright's own, else Debian's package.
 * @param {string} node the pinned Node
 * @returns {Promise<string>} path of the browser
 */
export const ensureBrowser = async (node) => {
  const found = (await present()) ?? (await playwrights(node));
  if (found) return found;
  const cli = path.join(root, 'node_modules', 'playwright', 'cli.js');
  const tried = [];
  tried.push(await attempt("Fetching Playwright's Chromium", node, [cli, 'install', 'chromium'], {}));
  const own = await playwrights(node);
  if (own) return own;
  if (existsSync('/etc/debian_version')) {
    const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
    const apt = (...args) => [...sudo, 'apt-get', ...args];
    for (const [program, ...args] of [apt('update', '-qq'), apt('install', '-y', '-qq', 'chromium')])
      tried.push(await attempt("Installing Debian's Chromium", program, args, { DEBIAN_FRONTEND: 'noninteractive' }));
    const debian = await present();
    if (debian) return debian;
  }
  throw new Plain(
    `No browser for the tests: no Chromium or Chrome is on this machine, and none could be installed (${tried.filter(Boolean).join('; ')}). ` +
      'Install Chromium, or name one in DENTARIUM_CHROMIUM.',
  );
};
