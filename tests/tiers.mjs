/**
 * Which command runs a test file. `npm run check` and `npm test` run every Vitest file and every file of the gpu project but `long`; of the
 * journeys they run those with the tag `@quick`, one for each area. `npm run test:long` runs all the rest.
 */

export const long = [
  // Fuzzing.
  'tests/server/damaged-files.test.ts',
  'tests/server/restore-and-damage.test.ts',
  'tests/dicom/fuzz.test.ts',
  'tests/server/unpack-fuzz.test.ts',
  // Every file of the corpus.
  'tests/dicom/deidentify-corpus.test.ts',
  'tests/dicom/inspect-corpus.test.ts',
  'tests/dicom/reference-pictures.test.ts',
  'tests/dicom/renditions.test.ts',
  'tests/dicom/thumbnail-rendering.test.ts',
  'tests/server/corpus-import.test.ts',
  'tests/gpu/corpus.spec.ts',
  // Processes that are killed, databases and disks that go away.
  'tests/server/aws-crash.test.ts',
  'tests/server/crash.test.ts',
  'tests/server/database-unavailable.test.ts',
  'tests/server/database-unavailable-imports.test.ts',
  'tests/server/database-restarts.test.ts',
  'tests/server/embedded-postgres.test.ts',
  'tests/server/files-folder.test.ts',
  'tests/server/full-disk.test.ts',
  'tests/server/kills.test.ts',
  'tests/server/outages.test.ts',
  'tests/server/real-proxies.test.ts',
  'tests/server/real-proxies-upload.test.ts',
  'tests/server/start-after-kill.test.ts',
  // The Debian package and the Dockerfile, in a container.
  'tests/package/docker.test.ts',
  'tests/package/install.test.ts',
  // Many callers at once, and many random runs.
  'tests/server/employees-races.test.ts',
  'tests/server/import-model.test.ts',
  'tests/server/import-races.test.ts',
  'tests/server/merge-races.test.ts',
  'tests/server/move-races.test.ts',
  'tests/server/viewset-race.test.ts',
  'tests/server/gallery-drift.test.ts',
  // Servers and commands, each of which is a process of its own.
  'tests/server/automatic-backup.test.ts',
  'tests/server/aws-config.test.ts',
  'tests/server/backup.test.ts',
  'tests/server/config-file.test.ts',
  'tests/server/doctor.test.ts',
  'tests/server/keys-command.test.ts',
  'tests/server/move-database.test.ts',
  'tests/server/public-url-claim.test.ts',
  'tests/server/restore.test.ts',
  'tests/server/start.test.ts',
  'tests/server/start-script.test.ts',
  'tests/server/user-command.test.ts',
  'tests/server/verify.test.ts',
  // Services of others, which answer late, wrongly or not at all.
  'tests/server/aws.test.ts',
  'tests/server/bank-id.test.ts',
  'tests/server/bank-id-rejection.test.ts',
  'tests/server/behind-proxy.test.ts',
  'tests/server/metrics.test.ts',
  'tests/server/metrics-listener.test.ts',
  'tests/server/sms.test.ts',
  'tests/server/upstream-unreachable.test.ts',
  // Several nodes, and keys that rotate.
  'tests/server/keys.test.ts',
  'tests/server/node-locks.test.ts',
  'tests/server/nodes.test.ts',
  'tests/server/upstream-key.test.ts',
  'tests/server/upstream-log.test.ts',
  // Limits of attempts, and sessions that end, which wait.
  'tests/server/rate-limits.test.ts',
  'tests/server/renewal.test.ts',
  'tests/server/two-factor-sign-in.test.ts',
  // Every order of a list, and every letter of a name.
  'tests/server/employees-lists.test.ts',
  'tests/server/gallery-order.test.ts',
  'tests/server/search-key.test.ts',
  // Imports that are stopped, repeated or meet deleted records.
  'tests/server/import-deleted.test.ts',
  'tests/server/import-run.test.ts',
  'tests/server/sweep.test.ts',
  // Databases of earlier versions.
  'tests/server/older-database.test.ts',
  // Large databases and drawn files.
  'tests/server/demo-files.test.ts',
  'tests/server/demo-many.test.ts',
  'tests/server/demo-phantom.test.ts',
  // The testers' tools.
  'tools/machine-pages/site.test.ts',
  'tools/mutation/mutation.test.ts',
  // Every path through the viewer's machine, and through earlier images.
  'tests/machines/viewer.paths.test.ts',
  'tests/views/patient/prior-paths.test.tsx',
  // Every text of an error.
  'tests/views/errors.test.tsx',
  // Every kind of mark.
  'tests/views/viewer/drawing-marks.test.tsx',
  'tests/views/viewer/measuring-marks.test.tsx',
  // Every key and every button of the viewer.
  'tests/views/viewer/keys-and-buttons.test.tsx',
  // What the pointer does on the stage, picture by picture.
  'tests/gpu/gestures.spec.ts',
  'tests/gpu/gestures-mount.spec.ts',
  'tests/gpu/gestures-marks.spec.ts',
  'tests/gpu/load.spec.ts',
  'tests/gpu/memory.spec.ts',
  'tests/gpu/size.spec.ts',
  'tests/gpu/stage.spec.ts',
  'tests/gpu/stage-painting.spec.ts',
];

/** Files that run once more on another PostgreSQL: every call of the contract, and what depends on how a database sorts, searches, locks and restores. */
export const onOtherPostgres = [
  'tests/server/authorization/matrix.test.ts',
  'tests/server/access-log.test.ts',
  'tests/server/access-log-retention.test.ts',
  'tests/server/changes.test.ts',
  'tests/server/customer-lists.test.ts',
  'tests/server/database-full.test.ts',
  'tests/server/database-unavailable.test.ts',
  'tests/server/day-lists.test.ts',
  'tests/server/doses.test.ts',
  'tests/server/dump-restore.test.ts',
  'tests/server/employees-lists.test.ts',
  'tests/server/gallery-order.test.ts',
  'tests/server/grade-report.test.ts',
  'tests/server/hub.test.ts',
  'tests/server/import-races.test.ts',
  'tests/server/import-run.test.ts',
  'tests/server/list-cursors.test.ts',
  'tests/server/merge.test.ts',
  'tests/server/merge-races.test.ts',
  'tests/server/monitor-checks.test.ts',
  'tests/server/keys-command.test.ts',
  'tests/server/move-database.test.ts',
  'tests/server/node-locks.test.ts',
  'tests/server/nodes.test.ts',
  'tests/server/notes.test.ts',
  'tests/server/patient-search.test.ts',
  'tests/server/patient-search-letters.test.ts',
  'tests/server/recycle-bin.test.ts',
  'tests/server/search-key-old-data.test.ts',
  'tests/server/seed.test.ts',
  'tests/server/similar-patients.test.ts',
  'tests/server/statistics.test.ts',
  'tests/server/study-search.test.ts',
  'tests/server/sweep.test.ts',
  'tests/server/viewset.test.ts',
  'tests/server/which-postgres.test.ts',
];
