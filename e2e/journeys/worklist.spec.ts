import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, globSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { readDicomFile } from '../../dicom/file.ts';
import { tags } from '../../dicom/tags.ts';
import { freePort } from '../../tests/free-port.ts';
import { objectAt } from '../../tests/server/dicomweb-under-test.ts';
import { removeDataFolder, startArchive } from '../archive.ts';
import { copyDemoFolder } from '../demo-folder.ts';
import { accessible } from '../pages/accessible.ts';
import { administration } from '../pages/administration.ts';
import { dialogs } from '../pages/dialogs.ts';
import { signInAs } from '../pages/sign-in.ts';
import { visitPatient } from '../pages/visit.ts';
import { expect, test } from '../test.ts';

const run = promisify(execFile);
const isInstalled = ['findscu', 'storescu', 'storescp'].every((name) => existsSync(`/usr/bin/${name}`));
const clinic = 'Tandkliniken Ljungheden';
const procedure = 'Panorama by the worklist';

/** A panoramic unit made of the tools of DCMTK: it answers C-ECHO at a port of its own. */
const startUnit = async (archivePort: number) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'dentarium-unit-'));
  const port = await freePort();
  const listener = spawn('storescp', ['-aet', 'UNIT', '-od', folder, String(port)], { stdio: 'ignore' });
  const call = (tool: string, ...more: readonly string[]) =>
    run(tool, ['-aet', 'UNIT', '-aec', 'DENTARIUM', ...more], { cwd: folder });
  const address = ['127.0.0.1', String(archivePort)];
  const keys = [
    'SpecificCharacterSet',
    'PatientName',
    'PatientID',
    'PatientBirthDate',
    'AccessionNumber',
    'StudyInstanceUID',
    'RequestedProcedureDescription',
    'ScheduledProcedureStepSequence[0].Modality=PX',
  ];
  return {
    port,
    /** Asks for the worklist, and returns the entries. */
    worklist: async () => {
      await call('findscu', '-W', '-X', ...keys.flatMap((key) => ['-k', key]), ...address);
      const files = globSync('rsp*.dcm', { cwd: folder });
      return Promise.all(files.map(async (name) => readDicomFile(await readFile(path.join(folder, name))).dataSet));
    },
    send: async (image: Uint8Array) => {
      await writeFile(path.join(folder, 'image.dcm'), image);
      await call('storescu', ...address, 'image.dcm');
    },
    close: async () => {
      listener.kill();
      await rm(folder, { recursive: true });
    },
  };
};

/** Lists the unit and tests the connection to it. */
const addUnit = async (page: Page, port: number) => {
  await signInAs(page, 'clinicAdministrator');
  await page.getByRole('link', { name: 'Clinic', exact: true }).click();
  await administration(page).menu(clinic, 'DICOM devices (AE titles) …');
  const devices = page.getByRole('dialog', { name: /^DICOM devices of/ });
  await devices.getByLabel(/^Name/).fill('Panorama');
  await devices.getByRole('textbox', { name: /^AE title( \*)?$/ }).fill('UNIT');
  await devices.getByLabel(/^IP address/).fill('127.0.0.1');
  await devices.getByLabel(/^Port of the device/).fill(String(port));
  await devices.getByLabel('May send images to the clinic').check();
  await devices.getByLabel(/^May ask for the worklist/).check();
  await devices.getByRole('button', { name: 'Add the device' }).click();
  await expect(devices.getByRole('row', { name: /^Panorama UNIT/ })).toContainText('Send images, worklist');
  await devices.getByRole('button', { name: 'Test the connection to “Panorama”' }).click();
  await expect(devices.getByRole('row', { name: /^Panorama UNIT .* Answered the test/ })).toBeVisible();
};

const order = async (page: Page) => {
  const { openMenu, choose } = dialogs(page);
  await openMenu(await page.getByRole('heading', { level: 1 }).innerText());
  await choose('Order images …');
  const dialog = page.getByRole('dialog', { name: 'Order images' });
  await expect(dialog.getByRole('textbox', { name: /^Procedure/ })).toBeFocused();
  await page.keyboard.type('Panorama');
  await dialog.getByRole('combobox', { name: 'Device' }).selectOption('Panorama (UNIT)');
  await page.keyboard.press('Tab');
  await dialog.getByRole('button', { name: 'Order', exact: true }).press('Enter');
  await expect(dialog.getByRole('status')).toHaveText(/^Ordered/);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
};

test('a unit takes an order from the worklist, and its image comes into a mount of the patient; the orders of the day follow', async ({
  browser,
}) => {
  test.skip(!isInstalled, 'DCMTK is not installed');
  const dicomPort = await freePort();
  const folder = await copyDemoFolder();
  const archive = await startArchive(folder, {
    args: ['--dicom'],
    environment: { DENTARIUM_DICOM_PORT: String(dicomPort) },
  });
  const open = () => browser.newPage({ baseURL: archive.url, locale: 'en-GB', reducedMotion: 'reduce' });
  const [administrator, doctor] = [await open(), await open()];
  const unit = await startUnit(dicomPort);
  try {
    await addUnit(administrator, unit.port);
    await visitPatient(doctor, 'doctor', 'wåhlin', 'Wåhlin');
    await order(doctor);

    await administrator.keyboard.press('Escape');
    await administrator.getByRole('button', { name: 'Settings', exact: true }).click();
    await administrator.getByRole('menuitem', { name: 'Image orders' }).click();
    const row = administrator.getByRole('list', { name: 'Orders' }).getByRole('listitem');
    await expect(row).toContainText(/Wåhlin.*Panorama.*Scheduled/s);
    const check = accessible(administrator);
    await check.isGoodOver('orders of a day');
    await check.fits('orders of a day');

    await row.getByRole('button', { name: 'Change the order Panorama' }).press('Enter');
    await expect(row.getByRole('textbox', { name: /^Procedure/ })).toBeFocused();
    await check.isGoodOver('changing an order');
    await check.fits('changing an order');
    await row.getByRole('textbox', { name: /^Procedure/ }).fill(procedure);
    await administrator.keyboard.press('Enter');
    await expect(row).toContainText(procedure);

    const [entry, ...others] = await unit.worklist();
    expect(others).toEqual([]);
    expect(entry?.text(0x00321060)).toBe(procedure);
    const text = (tag: number) => entry?.text(tag) ?? '';
    const image = objectAt(`2.25.${BigInt(`0x${randomUUID().replaceAll('-', '').slice(0, 20)}`)}`, {
      StudyInstanceUID: text(tags.studyInstanceUid),
      AccessionNumber: text(0x00080050),
      PatientName: text(tags.patientName),
      PatientID: text(tags.patientId),
      PatientBirthDate: text(tags.patientBirthDate),
      StudyDescription: procedure,
      Modality: 'PX',
    });
    await unit.send(image);
    const { panel } = dialogs(doctor);
    const study = panel.getByRole('listitem').filter({ has: doctor.getByRole('heading', { name: procedure }) });
    await expect(study).toBeVisible({ timeout: 60_000 });
    await study.getByRole('link', { name: 'Mount Panorama 1/1' }).press('Enter');
    const slots = doctor.getByRole('listbox', { name: 'Slots of Panorama' }).getByRole('option');
    await expect(slots).toHaveCount(1);
    await expect(slots).not.toHaveAccessibleName(/empty/);
    await expect(row).toContainText('In progress', { timeout: 30_000 });
    await expect(row.getByRole('button', { name: /^Change/ })).toBeHidden();
  } finally {
    await unit.close();
    await administrator.close();
    await doctor.close();
    await archive.stop();
    await removeDataFolder(folder);
  }
});
