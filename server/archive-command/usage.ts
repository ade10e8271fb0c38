import { program } from '../program-name.ts';

/** Invalid command-line arguments: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Failed command: exit code 1 with one sentence. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}

export const archiveHelp = `Usage: ${program} <command> [options]

Commands:
  backup         writes a backup of the database and the stored files
  restore        fills an empty installation with a backup, or checks a backup
  verify         compares records, files and the access log; repairs files from a backup
  anchor         prints the newest seal of the access log, to keep elsewhere
  quarantine     files without a record in the database: list, adopt, purge, accept
  user           list, super-administrator, set-password, reset-two-factor, unlock
  keys           rotate, change-master, discard
  doctor         checks the installation and says what to do
  move-database  copies the database to another PostgreSQL
  move-files     copies the image files to a bucket, or back

"${program} <command> --help" explains each.
Exit codes: 0 success, 1 failure (one sentence on stderr), 2 wrong usage, 3 done, but with problems.
`;

export const quarantineHelp = `Usage: ${program} quarantine <action> [options]

Files that no record in the database refers to are moved to files/quarantine/<day>/ and removed
after DENTARIUM_QUARANTINE_DAYS days (30). When the database is older than the files (an older
backup was restored), nothing is moved or removed until you adopt or accept.

Actions:
  list     Shows the state, the files in quarantine by day, and the files without a record.
           Changes nothing.
  adopt    Puts the files of the quarantine, and those without a record, back to their paths and
           opens an import with them in one clinic. The import appears in the import tray of the
           user; that user decides the patient of each study. Nothing is imported by the command.
             --clinic NAME|ID   the clinic that gets the import (required)
             --user EMAIL       a user with access to the clinic (required)
             --from DATE        only files stored on or after this day (YYYY-MM-DD, UTC)
             --until DATE       only files stored on or before this day
           With several clinics in the archive, use --from and --until and check the studies:
           a file does not record which clinic it came from.
  purge    Removes files of the quarantine for good, before the end of their retention.
             --before DATE      files quarantined before this day (YYYY-MM-DD, UTC), or
             --all              all of them
  accept   Accepts that files and database differ: an older database (files without a record go
           into the quarantine as usual), or an older files folder (missing files stay missing).
             --empty            also accepts an empty files folder; every image is then missing

Options:
  --data DIR     the data folder (default: DENTARIUM_DATA); DATABASE_URL names the database, as for npm start
  --config FILE  the configuration file
  --json         prints one JSON object
  --help         prints this text

The server may run meanwhile. When it does not start because of its folder, accept the folder first.
Exit codes: 0 done, 1 not done (one sentence on stderr), 2 wrong usage.
`;
