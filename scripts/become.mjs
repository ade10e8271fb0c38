import path from 'node:path';
import { ensureDependencies } from './dependencies.mjs';
import { loudly, root } from './processes.mjs';
import { endWith } from './terminal.mjs';

/**
 * Installs missing dependencies and runs a program of the repository with the arguments of this one; exits with its exit code.
 * @param {...string} parts its path from the root
 */
export const become = async (...parts) => {
  const node = await ensureDependencies().catch(endWith);
  process.exit(await loudly(node, [path.join(root, ...parts), ...process.argv.slice(2)]));
};
