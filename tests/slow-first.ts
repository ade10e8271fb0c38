import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take a minute or more. One that starts last would keep one core busy while the others wait. */
const slow = [
  'tests/package/install.test.ts',
  'tests/package/docker.test.ts',
  'tests/server/real-proxies-upload.test.ts',
  'tests/views/viewer/keys-and-buttons.test.tsx',
  'tests/machines/viewer.paths.test.ts',
  'tests/server/database-restarts.test.ts',
  'tests/server/authorization/matrix.test.ts',
  'tests/server/start-after-kill.test.ts',
  'tests/server/user-command.test.ts',
  'tests/server/files-folder.test.ts',
  'tests/server/aws-crash.test.ts',
];

const root = path.dirname(import.meta.dirname);
const isSlow = ({ moduleId }: TestSpecification): boolean => slow.includes(path.relative(root, moduleId));

/** Vitest's order, with the slow files first. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}
