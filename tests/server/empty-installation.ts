import type { Viewset } from '../../contract/viewsets.ts';
import { ensureStandardTemplates } from '../../server/db/stores/templates.ts';
import { archiveUnderTest } from './archive-under-test.ts';
import { clinicImport } from './clinic-import.ts';

/** An empty installation, its patient, and the mounts of that patient. */
const emptyInstallation = async () => {
  const archive = await archiveUnderTest();
  await ensureStandardTemplates(archive.db);
  const patientId = await archive.addPatient();
  const { decided, imported, parsed } = clinicImport(archive);
  const importFiles = async (files: Readonly<Record<string, Uint8Array>>, kind?: 'dicomdir') => {
    const task = await parsed(files, kind);
    for (const { key } of task.studies) await decided(task.id, key, { patientId, mismatchConfirmed: true });
    return imported(task.id);
  };
  const mounts = async (): Promise<Viewset[]> => {
    const rows = await archive.db.selectFrom('viewset').select('id').orderBy('created_at').execute();
    return Promise.all(rows.map(async ({ id }) => (await archive.call(`/resource/viewset/${id}`)).json()));
  };
  return { archive, importFiles, mounts, patientId };
};

/** Does something with an empty installation, and closes it. */
export const usingEmptyInstallation = async (
  work: (other: Awaited<ReturnType<typeof emptyInstallation>>) => Promise<void>,
) => {
  const other = await emptyInstallation();
  try {
    await work(other);
  } finally {
    await other.archive.close();
  }
};
