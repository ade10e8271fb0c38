import path from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBrowser } from './browser.mjs';
import { ensureBuild } from './build.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { loudly, quietly, root } from './processes.mjs';
import { endWith, Plain } from './terminal.mjs';

const usage = `Walks a journey in the browser, against the real server.

  npm run walk -- --journey visit                        every step that there is
  npm run walk -- --journey visit --seed 123 --steps 12  a walk at random; the same seed walks the same steps
`;

/** @param {string} name @param {string | undefined} text */
const whole = (name, text) => {
  if (text === undefined || /^\d{1,9}$/.test(text)) return text;
  throw new Plain(`--${name} must be a whole number, not "${text}".`);
};

const main = async () => {
  const text = { type: /** @type {const} */ ('string') };
  const options = { journey: text, seed: text, steps: text, help: { type: /** @type {const} */ ('boolean') } };
  const { values } = (() => {
    try {
      return parseArgs({ options });
    } catch (error) {
      throw new Plain(`${error.message}\n\n${usage}`);
    }
  })();
  if (values.help) return void process.stdout.write(usage);
  const [seed, steps] = [whole('seed', values.seed), whole('steps', values.steps)];
  const node = await ensureDependencies();
  const list = `import(${JSON.stringify(path.join(root, 'tests', 'models', 'index.ts'))}).then(({ journeys }) => console.log(Object.keys(journeys).join(' ')))`;
  const names = (await quietly(node, ['-e', list])).trim().split(' ');
  const { journey } = values;
  if (!journey || !names.includes(journey))
    throw new Plain(
      `${journey ? `There is no journey "${journey}"` : 'Say which journey'}: ${names.join(', ')}.\n\n${usage}`,
    );
  await ensureBuild(node);
  const browser = await ensureBrowser(node);
  const isRandom = seed !== undefined || steps !== undefined;
  const env = {
    ...process.env,
    DENTARIUM_CHROMIUM: browser,
    WALK_JOURNEY: journey,
    ...(seed !== undefined && { WALK_SEED: seed }),
    ...(steps !== undefined && { WALK_STEPS: steps }),
  };
  const test = isRandom ? 'a walk at random' : `${journey}: every step`;
  const cli = path.join(root, 'node_modules', '@playwright', 'test', 'cli.js');
  process.exit(await loudly(node, [cli, 'test', '--project=e2e', 'walks', '--grep', test], { env }));
};

await main().catch(endWith);
