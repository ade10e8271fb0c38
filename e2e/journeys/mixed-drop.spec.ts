import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { dropPaths } from '../drop-paths.ts';
import { demoPatient, writeBroken, writeDisc, writePictures, writeZip } from '../import-sets.ts';
import { header } from '../pages/header.ts';
import { importPage } from '../pages/import-page.ts';
import { patientPage } from '../pages/patient.ts';
import { signInAs } from '../pages/sign-in.ts';
import { expect, test } from '../test.ts';

let folder: string;
test.beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'dentarium-sets-'));
});
test.afterAll(() => rm(folder, { recursive: true, force: true }));

test('a disc, a zip, three pictures and a broken file dropped together become separate imports that survive navigation', async ({
  page,
}) => {
  const stranger = { name: 'Nygren^Eva', number: '197505059994', birthDate: '19750505' };
  const known = demoPatient('Ljungqvist');
  const all = [
    await writeDisc(path.join(folder, 'CD 1'), stranger),
    await writeZip(path.join(folder, 'export.zip'), known),
    ...(await writePictures(folder)),
    await writeBroken(path.join(folder, 'broken.dcm'), known),
  ];
  await signInAs(page, 'colleague', '/import');
  const imports = importPage(page);
  await imports.isOpen();
  await dropPaths(page, all);
  await expect(imports.rows()).toHaveCount(4);

  await imports.is('broken.dcm', 'failed');
  await expect(imports.row('broken.dcm')).toContainText('Part of the image is missing');
  await imports.is('CD 1', 'needs-decision');
  await imports.is('export.zip', 'needs-decision');
  await imports.is(/IMG_0/, 'needs-decision');
  // Files that the DICOMDIR lists but are missing are reported, and so are non-image files.
  await expect(imports.row('CD 1')).toContainText('IM000004');
  await expect(imports.row('CD 1')).toContainText('are not images');
  // The zip names a known patient; other patients are not chosen without confirmation.
  await expect(imports.row('export.zip')).toContainText('Viktor Ljungqvist');
  await imports.showStudies('CD 1');
  await expect(imports.study(/Disc of/).card).toContainText('No patient chosen');

  // Navigates to a patient, then reloads the tab.
  await header(page).type('forsg');
  await header(page).pickFirst();
  await page.reload();
  await page.goto('/import');
  await expect(imports.rows()).toHaveCount(4);
  await imports.is('CD 1', 'needs-decision');

  await imports.showStudies('CD 1');
  await imports.study(/Disc of/).newPatient();
  await imports.study(/Disc of/).showsPatient(/Nygren/);
  await imports.showStudies(/IMG_0/);
  await imports.study('Pictures').findPatient('oberg');
  await imports.study('Pictures').showsPatient(/Öberg/);
  await imports.importAllReady(3);
  for (const name of ['CD 1', 'export.zip', /IMG_0/]) await imports.is(name, 'done');
  await expect(imports.row('CD 1')).toContainText('3 of 4 imported');

  await header(page).type('nygr');
  await header(page).pickFirst();
  await expect(patientPage(page).images()).toHaveCount(3);
  await header(page).type('oberg');
  await header(page).pickFirst();
  await expect(patientPage(page).thumbnails()).toHaveCount(3);
});
