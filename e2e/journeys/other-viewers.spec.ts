import { accountInfo } from '../../contract/account.ts';
import { removeDataFolder, startArchive } from '../archive.ts';
import { copyDemoFolder } from '../demo-folder.ts';
import { serveOhif } from '../ohif.ts';
import { header } from '../pages/header.ts';
import { addViewer, openIn, removeViewer } from '../pages/other-viewers.ts';
import { demoPassword, demoUsers, tokensFor } from '../pages/sign-in.ts';
import { expect, test } from '../test.ts';

const clinic = 'Tandkliniken Ljungheden';
const ohifFolder = process.env.DENTARIUM_OHIF;

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('a study is opened in another viewer of the clinic', async ({ page, context }) => {
  await context.route('https://viewer.example/**', (route) => route.fulfill({ body: 'The other viewer' }));
  await addViewer(page, clinic, 'Stand-in', 'https://viewer.example/view?study={study}');
  const other = await openIn(page, 'Stand-in');
  await expect(other).toHaveURL(/^https:\/\/viewer\.example\/view\?study=[\d.]+$/);
  await expect(other.getByText('The other viewer')).toBeVisible();
  await other.close();
  await header(page).signOut();
  await removeViewer(page, clinic, 'Stand-in');
});

test('OHIF signs the user in, and shows and scrolls the study that the menu opened', async ({ browser, request }) => {
  test.skip(ohifFolder === undefined, 'DENTARIUM_OHIF names no folder with OHIF');
  const ohif = await serveOhif(ohifFolder ?? '');
  const client = { id: 'ohif', name: 'OHIF', redirectUris: [`${ohif.url}/callback`], scopes: ['dicomweb.read'] };
  const folder = await copyDemoFolder();
  const archive = await startArchive(folder, {
    environment: { DENTARIUM_DICOMWEB_ORIGINS: ohif.url, DENTARIUM_OPENID_CLIENTS: JSON.stringify([client]) },
  });
  const page = await browser.newPage({ baseURL: archive.url, locale: 'en-GB' });
  try {
    await addViewer(page, clinic, 'OHIF', `${ohif.url}/viewer?StudyInstanceUIDs={study}`);
    const { tokens } = await tokensFor(page, demoUsers.doctor);
    const headers = { authorization: `Bearer ${tokens.access_token}` };
    const { customerId: clinicId } = await (await request.get(`${archive.url}${accountInfo.path}`, { headers })).json();
    ohif.connect(archive.url, clinicId);
    const viewer = await openIn(page, 'OHIF');
    await viewer.getByLabel('E-mail').fill(demoUsers.doctor);
    await viewer.getByLabel('Password', { exact: true }).fill(demoPassword);
    await viewer.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(viewer).toHaveURL(new RegExp(`^${ohif.url}/viewer`));
    await viewer.getByText('Skip all').click();
    await expect(viewer.getByText('(1/10)')).toBeVisible();
    await viewer.mouse.wheel(0, 100);
    await expect(viewer.getByText('(2/10)')).toBeVisible();
    const study = new URL(viewer.url()).searchParams.get('StudyInstanceUIDs') ?? '';
    const without = await request.get(`${archive.url}/dicomweb/${clinicId}/studies/${study}/metadata`);
    expect(without.status()).toBe(401);
  } finally {
    await page.close();
    await archive.stop();
    await ohif.close();
    await removeDataFolder(folder);
  }
});
