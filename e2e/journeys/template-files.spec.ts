import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { readDicomFile } from '../../dicom/file.ts';
import { readProtocol } from '../../dicom/hanging-protocol/read-protocol.ts';
import { dialogs } from '../pages/dialogs.ts';
import { visitPatient } from '../pages/visit.ts';
import { expect, test } from '../test.ts';

test('a template leaves as a Hanging Protocol; who may not create templates may not import one', async ({ page }) => {
  await visitPatient(page, 'doctor', 'ljungqvist', 'Ljungqvist');
  const edit = dialogs(page);
  await edit.openMenu(/^More actions for \d{4}-\d\d-\d\d Bitewing/);
  await edit.choose('New mount');
  const form = edit.dialog('New mount');
  await form.getByLabel('Find a template').fill('FMX 18');
  await expect(form.getByRole('radio', { name: /slots?$/ })).toHaveCount(1);
  const download = page.waitForEvent('download');
  await form.getByRole('button', { name: 'Export as DICOM' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('FMX 18.dcm');
  const bytes = await buffer(createReadStream(await file.path()));
  expect(readProtocol(readDicomFile(bytes).dataSet).slots).toHaveLength(18);
  await expect(form.getByRole('button', { name: 'Import template' })).toBeDisabled();
  await expect(form.getByRole('button', { name: 'Import template' })).toHaveAttribute('title', /rights/);
});
