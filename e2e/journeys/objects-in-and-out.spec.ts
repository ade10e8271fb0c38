import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import type { Browser, Page } from '@playwright/test';
import { readDirectory } from '../../dicom/directory.ts';
import { readDicomFile } from '../../dicom/file.ts';
import { protocolBytes } from '../../tests/dicom/written-protocol.ts';
import { unzipped } from '../../tests/server/unzipped.ts';
import { removeDataFolder, startArchive } from '../archive.ts';
import { copyDemoFolder } from '../demo-folder.ts';
import { dialogs } from '../pages/dialogs.ts';
import { mountPage } from '../pages/mount.ts';
import { notePage } from '../pages/notes.ts';
import { viewerPage } from '../pages/viewer.ts';
import { visitPatient } from '../pages/visit.ts';
import { expect, test } from '../test.ts';

const comprehensiveReport = '1.2.840.10008.5.1.4.1.1.88.33';

/** A signed note and a template of the clinic stay, so each test has an archive of its own. */
const inOwnArchive = async (browser: Browser, work: (page: Page) => Promise<void>) => {
  const folder = await copyDemoFolder();
  const archive = await startArchive(folder);
  const page = await browser.newPage({ baseURL: archive.url, locale: 'en-GB', reducedMotion: 'reduce' });
  try {
    await work(page);
  } finally {
    await page.close();
    await archive.stop();
    await removeDataFolder(folder);
  }
};

test('a DICOM folder has the mounts, and the signed notes as a structured report', async ({ browser }) => {
  await inOwnArchive(browser, async (page) => {
    await visitPatient(page, 'doctor', 'forsgren', 'Forsgren');
    await expect(mountPage(page).slots).toBeVisible();
    await viewerPage(page).isReady('mount');
    await mountPage(page).choose(1);
    await page.keyboard.press('Shift+N');
    const note = notePage(page);
    await expect(note.field).toBeFocused();
    await page.keyboard.type('Caries 36 distal');
    await note.button('Sign').press('Enter');
    await note.isSaved('Signed', 'Maja Lindqvist');

    const { openMenu, choose } = dialogs(page);
    await openMenu(await page.getByRole('heading', { level: 1 }).innerText());
    await choose('Images for a recipient …');
    const dialog = page.getByRole('dialog', { name: /for a recipient$/ });
    await dialog.getByRole('textbox', { name: /^Recipient/ }).fill('Folktandvården');
    await dialog.getByRole('combobox', { name: 'Content' }).selectOption('DICOM folder with DICOMDIR');
    await dialog.getByRole('checkbox', { name: /^Also mounts and marks/ }).press('Space');
    await dialog.getByRole('checkbox', { name: /^Also notes and measurements/ }).press('Space');
    await dialog.getByRole('checkbox', { name: /^Encrypt/ }).press('Space');
    const coming = page.waitForEvent('download');
    await dialog.getByRole('button', { name: /^Download/ }).press('Enter');
    const medium = new Map(await unzipped(await buffer(createReadStream(await (await coming).path()))));

    const records = readDirectory(readDicomFile(medium.get('DICOMDIR') ?? Buffer.of()));
    const kinds = records.map(({ recordType }) => recordType);
    expect(kinds).toContain('IMAGE');
    expect(kinds).toContain('PRESENTATION');
    const reports = records.filter(({ recordType }) => recordType === 'SR DOCUMENT');
    expect(reports).toHaveLength(1);
    const bytes = medium.get(reports[0]?.path.join('/') ?? '') ?? Buffer.of();
    expect(readDicomFile(bytes).dataSet.text(0x00080016)).toBe(comprehensiveReport);
    expect(Buffer.from(bytes).toString('utf8')).toContain('Caries 36 distal');
  });
});

test('a Hanging Protocol becomes a template of the clinic', async ({ browser }) => {
  await inOwnArchive(browser, async (page) => {
    await visitPatient(page, 'clinicAdministrator', 'ljungqvist', 'Ljungqvist');
    const edit = dialogs(page);
    await edit.openMenu(/^More actions for \d{4}-\d\d-\d\d Bitewing/);
    await edit.choose('New mount');
    const form = edit.dialog('New mount');
    const choosing = page.waitForEvent('filechooser');
    await form.getByRole('button', { name: 'Import template' }).press('Enter');
    const file = { name: 'protocol.dcm', mimeType: 'application/dicom', buffer: Buffer.from(protocolBytes()) };
    await (await choosing).setFiles(file);
    await expect(form.getByText('“Helstatus vuxen 18 bilder” is a template of the clinic.')).toBeVisible();
    const template = form.getByRole('radio', { name: /^Helstatus vuxen 18 bilder/ });
    await expect(template).toBeChecked();
    await expect(template).toHaveAccessibleName(/3 slots$/);
  });
});
