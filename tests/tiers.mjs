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
  // Commands, each of which is a process of its own.
  'tests/server/doctor.test.ts',
  'tests/server/move-database.test.ts',
  'tests/server/user-command.test.ts',
  // Large databases and drawn files.
  'tests/server/demo-files.test.ts',
  'tests/server/demo-many.test.ts',
  'tests/server/demo-phantom.test.ts',
  // The testers' tools.
  'tools/machine-pages/site.test.ts',
  'tools/mutation/mutation.test.ts',
  // Every key and every button of the viewer.
  'tests/views/viewer/keys-and-buttons.test.tsx',
  // What the pointer does on the stage, picture by picture.
  'tests/gpu/gestures.spec.ts',
  'tests/gpu/gestures-mount.spec.ts',
  'tests/gpu/gestures-marks.spec.ts',
  'tests/gpu/load.spec.ts',
  'tests/gpu/size.spec.ts',
  'tests/gpu/stage.spec.ts',
  'tests/gpu/stage-painting.spec.ts',
];

/**
 * On another PostgreSQL these would test the same as on the bundled one: they start a database of their own or none, or are long and
 * about something else.
 */
export const onBundledPostgresOnly = [
  'tests/server/start.test.ts',
  'tests/server/start-script.test.ts',
  'tests/server/restore-and-damage.test.ts',
  'tests/server/config-file.test.ts',
  'tests/server/doctor.test.ts',
  'tests/server/user-command.test.ts',
  'tests/server/metrics-listener.test.ts',
  'tests/server/damaged-files.test.ts',
  'tests/server/start-after-kill.test.ts',
  'tests/server/embedded-postgres.test.ts',
  'tests/server/demo-files.test.ts',
  'tests/server/demo-phantom.test.ts',
  'tests/server/kills.test.ts',
  'tests/server/real-proxies.test.ts',
  'tests/server/real-proxies-upload.test.ts',
  'tests/server/storage.test.ts',
  'tests/server/full-disk.test.ts',
  'tests/server/web.test.ts',
  'tests/server/authorization/matrix.test.ts',
  'tests/server/aws.test.ts',
  'tests/server/aws-upload.test.ts',
  'tests/server/aws-config.test.ts',
  'tests/server/aws-crash.test.ts',
  'tests/server/bank-id.test.ts',
  'tests/server/bank-id-rejection.test.ts',
  'tests/server/unpack-fuzz.test.ts',
  'tests/server/upstream.test.ts',
  'tests/server/upstream-unreachable.test.ts',
  'tests/server/upstream-key.test.ts',
];
