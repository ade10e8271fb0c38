import type { ImportDecision, ImportStudy, ImportTask } from '../../contract/imports.ts';
import type { ArchiveUnderTest } from './archive-under-test.ts';

export type Files = Readonly<Record<string, Uint8Array>>;

/** Imports into a clinic like the page: created without a patient, decided per study. */
export const clinicImport = (archive: ArchiveUnderTest) => {
  const { customerId } = archive.clinics;

  const begin = async (files: Files, kind: ImportTask['kind'] = 'dicom'): Promise<string> => {
    const body = { patientId: null, customerId, kind, name: 'Mapp', totalFilesCount: Object.keys(files).length || 10 };
    const reply = await archive.post('/resource/ImageImport', body);
    const { id } = await reply.json();
    for (const [name, bytes] of Object.entries(files)) {
      const form = new FormData();
      form.append('id', id);
      form.append('path', name);
      form.append('files', new Blob([Uint8Array.from(bytes)]), name.split('/').at(-1));
      const sent = await archive.call('/resource/ImageImport/batch', { method: 'POST', body: form });
      if (!sent.ok) throw new Error(`${name}: ${sent.status} ${await sent.text()}`);
    }
    return id;
  };

  const parsed = async (files: Files, kind?: ImportTask['kind']): Promise<ImportTask> => {
    const id = await begin(files, kind);
    return archive.parse(id);
  };

  const decide = (id: string, key: string, decision: Partial<ImportDecision>, as?: string): Promise<Response> =>
    archive.post('/resource/ImageImport/decide', { id, key, ...decision }, as);

  const decided = async (id: string, key: string, decision: Partial<ImportDecision>): Promise<ImportStudy> => {
    const reply = await decide(id, key, decision);
    if (!reply.ok) throw new Error(`decide: ${reply.status} ${await reply.text()}`);
    return reply.json();
  };

  const confirm = (id: string, more: object = {}, as?: string): Promise<Response> =>
    archive.post('/resource/ImageImport/dicom/import', { id, ...more }, as);

  const imported = async (id: string): Promise<ImportTask> => {
    const reply = await confirm(id);
    if (!reply.ok) throw new Error(`confirm: ${reply.status} ${await reply.text()}`);
    return archive.waitForStep(id, 5);
  };

  const retry = (id: string): Promise<Response> => archive.post('/resource/ImageImport/retry', { id });
  const cancel = (id: string): Promise<Response> => archive.post('/resource/ImageImport/cancel', { id });

  return { begin, cancel, confirm, decide, decided, imported, parsed, retry };
};
