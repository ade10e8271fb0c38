import path from 'node:path';
import { readConfig } from '../config.ts';
import { loadSettings } from '../load-settings.ts';
import { program } from '../program-name.ts';
import { progressOn } from '../progress.ts';
import { readBucketSettings } from '../storage/bucket/bucket-config.ts';
import { openBucketHome } from '../storage/bucket/bucket-home.ts';
import { homeOf } from '../storage/home-of.ts';
import { onTermination } from '../termination.ts';
import { moveFiles } from './move-files.ts';
import { readOptions } from './options.ts';
import { type CommandOutput, help, outputOf } from './output.ts';
import { CommandFailed, UsageError } from './usage.ts';

const moveHelp = `Usage: ${program} move-files --to bucket|disk

Copies the image files of this installation from the data folder to the bucket of the settings
(DENTARIUM_STORE_BUCKET), or back. Every file is compared with its hash. The files that are copied
from stay as they are. An interrupted run is continued by the same command, which copies only what
is not there yet.

The server may run during the first run. Then stop all servers, run the command again, which copies
what was stored meanwhile, set DENTARIUM_STORE=s3 (or disk) on every node, and start them. A server
does not start with a copy that lacks files. Uploads in progress begin again.

Options:
  --to bucket    from the data folder to the bucket
  --to disk      from the bucket to the data folder
  --data DIR     the data folder (default: DENTARIUM_DATA)
  --config FILE  the configuration file
  --json         prints one JSON object
  --help         prints this text

Exit codes: 0 complete, 1 failed, 2 wrong usage, 3 complete except for files whose bytes are not
those that were stored ("damaged").
`;

/** Files between two lines of progress. */
const reported = 1000;

/** Moves the files between data folder and bucket. @throws UsageError, CommandFailed, StartupError, errors of both stores */
export const moveFilesCommand = async (args: readonly string[]): Promise<CommandOutput> => {
  const { values: options } = readOptions(args, { to: { type: 'string' } });
  if (options.help) return help(moveHelp);
  if (options.to !== 'bucket' && options.to !== 'disk')
    throw new UsageError('move-files needs --to bucket or --to disk');
  const settings = loadSettings(options);
  const { dataFolder } = readConfig(settings, { data: options.data });
  process.umask(0o077);
  const stopping = new AbortController();
  onTermination(() => stopping.abort(new CommandFailed('Interrupted: the same command goes on')));
  const disk = homeOf(path.join(dataFolder, 'files'));
  const bucket = await openBucketHome(readBucketSettings(settings), path.join(dataFolder, 'cache'));
  try {
    const { step } = progressOn(process.stderr);
    const result = await moveFiles({
      ...(options.to === 'bucket' ? { from: disk, to: bucket } : { from: bucket, to: disk }),
      onProgress: (done) => {
        if (done % reported === 0) step(`${done} files`);
      },
      signal: stopping.signal,
    });
    const isComplete = result.damaged.length === 0;
    const summary = isComplete
      ? 'Every file is in place.'
      : 'Every file is in place except the damaged ones: "verify" and a backup may repair them.';
    return outputOf(result, { json: options.json, hasProblems: !isComplete, summary });
  } finally {
    bucket.close();
  }
};
