import { hubPath } from '../../../contract/hub.ts';
import { pathOf } from '../../../contract/route.ts';
import { routes } from '../../../contract/routes.ts';
import { openid } from '../../../contract/sign-in.ts';
import { linkKey } from '../../../server/db/stores/link-key.ts';
import { createThumbLinks } from '../../../server/resource/thumb-links.ts';
import type { RecordIds } from '../authorization/record.ts';
import { password } from '../clinic.ts';
import type { TestDatabase } from '../database.ts';
import { begin } from '../flow.ts';
import { openSession } from '../open-session.ts';
import { tinyPng } from '../print-request.ts';
import { signIn } from '../running-server.ts';
import { vaultUnderTest } from '../vault-under-test.ts';
import { scimRoutes } from './other-routes.ts';

/** Parts of a request that a caller got from the archive, and that no mutation guesses. */
export interface Given {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface GivenScene {
  readonly database: TestDatabase;
  readonly url: string;
  readonly own: RecordIds;
  readonly accountId: string;
  /** Headers of a clinic administrator. */
  readonly headers: Readonly<Record<string, string>>;
}

const queryIn = (link: string): Record<string, string> =>
  Object.fromEntries(new URL(link, 'http://archive.example').searchParams);

const post = async ({ url, headers }: GivenScene, path: string, body: object): Promise<Record<string, string>> => {
  const json = { 'content-type': 'application/json', ...headers };
  const reply = await fetch(`${url}${path}`, { method: 'POST', headers: json, body: JSON.stringify(body) });
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
  return reply.json();
};

const sharedLink = async (scene: GivenScene): Promise<Given> => {
  const recipient = { recipient: 'Kirurgen', days: '7', showsPatient: true };
  const made = await post(scene, routes.sharedLinkCreate.path, { imageUIDs: [scene.own.imageId], ...recipient });
  return { body: { id: made.id, secret: made.secret, code: made.code } };
};

const openedLink = async (scene: GivenScene): Promise<Given> => {
  const { body = {} } = await sharedLink(scene);
  const { bearer } = await post(scene, routes.sharedOpen.path, body);
  return { headers: { authorization: `Bearer ${bearer}` } };
};

const thumbLink = async ({ database: { db }, own, accountId }: GivenScene): Promise<Given> => {
  const links = createThumbLinks(db, await linkKey(db, vaultUnderTest()));
  return { query: queryIn(links.of({ grantId: await openSession(db, accountId) }).linkTo(own.imageId)) };
};

const pictureLink = async ({ url, own, headers }: GivenScene): Promise<Given> => {
  const form = new FormData();
  form.append('file', new Blob([tinyPng]), 'a.png');
  const path = pathOf(routes.pictureSave.path, { id: own.accountId });
  const reply = await fetch(`${url}${path}`, { method: 'POST', headers, body: form });
  if (!reply.ok) throw new Error(`${path}: ${reply.status}`);
  const { picture: link } = routes.pictureSave.reply.parse(await reply.json());
  return { params: { id: own.accountId }, query: queryIn(link ?? '') };
};

const interaction = async ({ url }: GivenScene): Promise<Given> => {
  const { uid, jar } = await begin(url, `http://localhost${openid.callbackPath}`);
  return { params: { uid }, headers: { cookie: jar.sent(`/interaction/${uid}`) } };
};

const hubConnection = async (scene: GivenScene): Promise<Given> => {
  const { connectionToken = '' } = await post(scene, `${hubPath}/negotiate?negotiateVersion=1`, {});
  return { query: { id: connectionToken }, headers: scene.headers };
};

const begunPart = async (scene: GivenScene): Promise<Given> => {
  const { newTaskId: id, fileId: key } = scene.own;
  await post(scene, routes.importPartsBegin.path, { id, key, path: 'a.dcm', sizeBytes: 100_000 });
  return { query: { id, key, offset: '0' } };
};

/** The cursor of the second page of a list. */
const cursorOf =
  (path: string, part: 'query' | 'body') =>
  async (scene: GivenScene): Promise<Given> => {
    const search = { customerId: scene.own.customerId, q: '', ppage: 1 };
    const { next: after } = await post(scene, path, search);
    // As long as there is one record only, there is no second page.
    if (!after) return {};
    return part === 'body' ? { body: { ...search, after } } : { query: { ...search, ppage: '1', after } };
  };

/** A token of the clinic's directory, of which there are few. */
const directory = async (scene: GivenScene): Promise<Given> => {
  const { customerId } = scene.own;
  await scene.database.db.deleteFrom('directory_token').where('customer_id', '=', customerId).execute();
  const body = { customerId, name: 'Entra ID', days: 90, invitesIn: null };
  const { secret } = await post(scene, routes.directoryTokenCreate.path, body);
  return { headers: { authorization: `Bearer ${secret}` } };
};

/** A new service account of the clinic, of which there are few. */
const serviceAccount = async (scene: GivenScene): Promise<Given> => {
  const { customerId } = scene.own;
  await scene.database.db.deleteFrom('service_account_clinic').where('customer_id', '=', customerId).execute();
  const body = { customerIds: [customerId], name: 'OHIF', scopes: ['dicomweb.read'], days: 90 };
  const made = await post(scene, routes.serviceAccountCreate.path, body);
  const { account, secret } = routes.serviceAccountCreate.reply.parse(made);
  return { query: { client_id: account.id, client_secret: secret, scope: 'dicomweb.read' } };
};

const tokens = async ({ url }: GivenScene) => signIn(url, 'doctor@prov.example');

/** What the routes need that are protected by a secret of their own. The query is the body of those that are sent a form. */
export const givens: Readonly<Record<string, (scene: GivenScene) => Promise<Given>>> = {
  ...Object.fromEntries(Object.keys(scimRoutes).map((name) => [name, directory])),
  sharedOpen: sharedLink,
  sharedRendition: openedLink,
  sharedThumbnail: openedLink,
  sharedDownload: openedLink,
  thumbnail: thumbLink,
  pictureGet: pictureLink,
  interactionGet: interaction,
  interactionPassword: interaction,
  interactionCode: interaction,
  interactionAccount: interaction,
  interactionAbort: interaction,
  bankIdStart: interaction,
  bankIdCollect: interaction,
  bankIdCancel: interaction,
  smsRequest: interaction,
  smsVerify: interaction,
  interactionPage: interaction,
  authorizeResume: interaction,
  upstream: interaction,
  upstreamDone: interaction,
  hubSend: hubConnection,
  hubClose: hubConnection,
  importPart: begunPart,
  patientSearch: cursorOf(routes.patientSearchPrivate.path, 'query'),
  patientSearchPrivate: cursorOf(routes.patientSearchPrivate.path, 'body'),
  studySearch: cursorOf(routes.studySearchPrivate.path, 'query'),
  studySearchPrivate: cursorOf(routes.studySearchPrivate.path, 'body'),
  imageSearch: cursorOf(routes.imageSearchPrivate.path, 'query'),
  imageSearchPrivate: cursorOf(routes.imageSearchPrivate.path, 'body'),
  patientSearchDeletedPrivate: cursorOf(routes.patientSearchDeletedPrivate.path, 'body'),
  studySearchDeletedPrivate: cursorOf(routes.studySearchDeletedPrivate.path, 'body'),
  tokenByPassword: async () => ({ query: { username: 'doctor@prov.example', password } }),
  tokenByClient: serviceAccount,
  tokenByRefresh: async (scene) => ({ query: { refresh_token: (await tokens(scene)).refresh_token ?? '' } }),
  revocation: async (scene) => ({ query: { token: (await tokens(scene)).refresh_token ?? '' } }),
  userInfoPost: async (scene) => ({ query: { access_token: (await tokens(scene)).access_token } }),
};

/** Tables in which refused requests of a route count guesses. */
export const tablesOfGuesses: Readonly<Record<string, readonly string[]>> = {
  // The last use of the token.
  ...Object.fromEntries(Object.keys(scimRoutes).map((name) => [name, ['directory_token']])),
  sharedOpen: ['shared_link'],
  interactionCode: ['pending_sign_in'],
};
