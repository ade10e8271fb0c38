import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import yazl from 'yazl';
import { corpusFolder, corpusIsThere } from '../../tests/dicom/corpus.ts';
import { dropPaths } from '../drop-paths.ts';
import { importPage } from '../pages/import-page.ts';
import { signInAs } from '../pages/sign-in.ts';
import { expect, test } from '../test.ts';

let folder: string;
test.beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'dentarium-real-'));
});
test.afterAll(() => rm(folder, { recursive: true, force: true }));

const filesBelow = (directory: string): string[] =>
  readdirSync(directory, { recursive: true })
    .map(String)
    .filter((name) => statSync(path.join(directory, name)).isFile());

const zipOf = async (directory: string, file: string): Promise<string> => {
  const zip = new yazl.ZipFile();
  for (const name of filesBelow(directory)) zip.addBuffer(readFileSync(path.join(directory, name)), name);
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(Buffer.from(chunk));
  writeFileSync(file, Buffer.concat(chunks));
  return file;
};

test('real discs, zips, pictures and invalid input: each file is imported or listed with its error', async ({
  page,
}) => {
  test.skip(!corpusIsThere, `The corpus of real files is not at ${corpusFolder}`);
  const disc = path.join(corpusFolder, 'dicomdir', 'pydicom-set');
  const bad = path.join(corpusFolder, 'bad-input');
  const pictures = path.join(corpusFolder, 'dental-raster');
  const zip = await zipOf(path.join(corpusFolder, 'jpeg-lossless-sv1'), path.join(folder, 'lossless.zip'));
  await signInAs(page, 'clinicAdministrator', '/import');
  const imports = importPage(page);
  await imports.isOpen();
  await dropPaths(page, [disc, bad, pictures, zip]);
  await imports.is('pydicom-set', 'needs-decision');
  await imports.is('bad-input', 'needs-decision');
  await imports.is('lossless.zip', 'needs-decision');
  // The disc has three patients unknown to the archive, so none is suggested.
  await expect(imports.row('pydicom-set')).toContainText(/\d+ studies have no patient/);

  const row = imports.row('bad-input');
  const show = row.getByRole('button', { name: 'Show files' });
  if (await show.isVisible()) await show.click();
  for (const name of ['MR_truncated.dcm', 'dwv-test_no-number-rows.dcm'])
    await expect(row.getByRole('listitem').filter({ hasText: name }).last()).not.toContainText(/Read$|Imported$/);
  await expect(row).toContainText(/\d+ files were rejected/);
});
