import { randomUUID } from 'node:crypto';
import { noPolicy } from '../../../contract/account-policy.ts';
import type { routes } from '../../../contract/routes.ts';
import { password } from '../clinic.ts';
import { monitorCheckBody } from '../monitor-check-body.ts';
import type { RecordIds } from './record.ts';
import { byId, nothing, type Scene } from './scene.ts';

const interaction = { uid: 'V1StGXR8_Z5jdHi6B-myT' };
const inInteraction = (body?: unknown): Scene => ({
  requestOf: () => ({ params: interaction, ...(body === undefined ? {} : { body }) }),
  // Without the cookie there is no interaction.
  open: [404, 410],
  withoutRecords: true,
});

const credential = { id: 'AAAA', rawId: 'AAAA', type: 'public-key' };
const assertion = { ...credential, response: { clientDataJSON: 'AA', authenticatorData: 'AA', signature: 'AA' } };
const attestation = { ...credential, response: { clientDataJSON: 'AA', attestationObject: 'AA' } };

const clinicFields = { organisationName: 'Ny klinik', address: 'Provgatan 1', telephone: '070-174 06 05' };
const employeeFields = (ids: RecordIds) => ({
  email: `${ids.accountId}@prov.example`,
  firstName: 'Ny',
  lastName: 'Person',
  personalNumber: '198001019804',
  telephone: '070-174 06 05',
  hiredSince: '2020-01-01',
  isActive: true,
  customerId: ids.customerId,
  roles: [ids.doctorRoleId],
});
const userFile = (ids: RecordIds) => {
  const { customerId, isActive: _, ...fields } = employeeFields(ids);
  return { customerId, lines: [{ line: 2, ...fields, azureUsername: '' }] };
};
const ofCustomer: Scene = { requestOf: (ids) => ({ params: { customerId: ids.customerId } }) };
const pictureForm = (): FormData => {
  const data = new FormData();
  data.append('file', new Blob([Uint8Array.from([1, 2, 3])]), 'a.png');
  return data;
};

/** Requests of sign-in, administration and the access log. */
export const administrationScenes = {
  about: { requestOf: nothing, withoutRecords: true },
  openapiDocument: { requestOf: nothing, open: [200], withoutRecords: true },
  welcome: { requestOf: nothing, open: [200], withoutRecords: true },
  accountInfo: { requestOf: (ids) => ({ query: { id: ids.accountId } }) },
  firstAdministrator: {
    requestOf: () => ({
      body: {
        key: 'x'.repeat(30),
        email: 'new@prov.example',
        firstName: 'Ny',
        lastName: 'Person',
        password: 'Ny-losen-2026!',
        organisationName: 'Ny klinik',
      },
    }),
    open: [410],
    withoutRecords: true,
  },
  interactionGet: inInteraction(),
  interactionPassword: inInteraction({ username: 'doctor@prov.example', password: 'x' }),
  interactionCode: inInteraction({ code: '123456' }),
  interactionPasskeyOptions: inInteraction({}),
  interactionPasskey: inInteraction({ response: assertion }),
  interactionAccount: inInteraction({ id: randomUUID() }),
  interactionAbort: inInteraction({}),
  bankIdStart: inInteraction({}),
  bankIdCollect: inInteraction({}),
  bankIdCancel: inInteraction({}),
  smsRequest: inInteraction({ email: 'doctor@prov.example', language: 'sv' }),
  smsVerify: inInteraction({ code: '123456' }),
  twoFactorSetup: { requestOf: nothing, withoutRecords: true, allowed: [200, 409] },
  twoFactorVerify: {
    requestOf: () => ({ body: { verificationCode: '123456' } }),
    withoutRecords: true,
    allowed: [400, 409, 429],
  },
  twoFactorDisable: {
    requestOf: () => ({ body: { verificationCode: '123456' } }),
    withoutRecords: true,
    allowed: [400, 409, 429],
  },
  // The tests call by an IP address, where there are no passkeys.
  passkeysGet: { requestOf: nothing, withoutRecords: true },
  passkeyProofOptions: { requestOf: () => ({ body: {} }), withoutRecords: true, allowed: [409] },
  passkeyProof: {
    requestOf: () => ({ body: { kind: 'password', password: 'x' } }),
    withoutRecords: true,
    allowed: [400, 429],
  },
  passkeyOptions: { requestOf: () => ({ body: {} }), withoutRecords: true, allowed: [409] },
  passkeyAdd: {
    requestOf: () => ({ body: { name: 'x', response: attestation } }),
    withoutRecords: true,
    allowed: [409],
  },
  passkeyRename: {
    requestOf: () => ({ body: { id: randomUUID(), name: 'x' } }),
    withoutRecords: true,
    allowed: [400],
  },
  passkeyRemove: { requestOf: () => ({ body: { id: randomUUID() } }), withoutRecords: true, allowed: [400] },
  pinSet: { requestOf: () => ({ body: { pin: '730182' } }), withoutRecords: true, allowed: [400] },
  pinRemove: { requestOf: () => ({ body: {} }), withoutRecords: true, allowed: [400] },
  resetPasswordRequest: {
    requestOf: () => ({
      body: { email: 'nobody@prov.example', redirectUrl: 'http://localhost/authorization/newpassword' },
    }),
    // The tests have no mail server.
    open: [409],
    withoutRecords: true,
  },
  resetLinkCreate: {
    requestOf: (ids) => ({
      body: { id: ids.accountId, redirectUrl: 'http://localhost/authorization/newpassword' },
    }),
  },
  ownPassword: {
    requestOf: () => ({ body: { current: 'x', password: 'Ny-losen-2026!' } }),
    withoutRecords: true,
    allowed: [400, 429],
  },
  sessionsGet: { requestOf: nothing, withoutRecords: true },
  sessionsEnd: { requestOf: () => ({ body: { id: 'x' } }), withoutRecords: true, allowed: [404] },
  // Locking would refuse every call that follows.
  sessionLock: { requestOf: () => ({ body: { x: 1 } }), withoutRecords: true, allowed: [400] },
  sessionUnlockOptions: { requestOf: () => ({ body: {} }), withoutRecords: true, allowed: [409] },
  // BankID is disabled in these tests.
  sessionBankIdStart: { requestOf: () => ({ body: {} }), withoutRecords: true, allowed: [404] },
  sessionBankIdCollect: { requestOf: () => ({ body: {} }), withoutRecords: true, allowed: [404] },
  sessionBankIdCancel: { requestOf: () => ({ body: {} }), withoutRecords: true, allowed: [404] },
  sessionUnlock: { requestOf: () => ({ body: { password: 'x' } }), withoutRecords: true, allowed: [400, 429] },
  clinicPolicyGet: byId('customerId'),
  clinicPolicySet: {
    requestOf: (ids) => ({ body: { id: ids.customerId, before: noPolicy, policy: noPolicy } }),
  },
  rolePolicyGet: { requestOf: (ids) => ({ params: { id: ids.roleId } }), withoutRecords: true },
  rolePolicySet: {
    requestOf: (ids) => ({ body: { id: ids.roleId, before: noPolicy, policy: noPolicy } }),
    withoutRecords: true,
  },
  twoFactorReset: {
    requestOf: (ids) => ({ body: { id: ids.accountId, proof: password } }),
    allowed: [409, 429],
  },
  resetPassword: {
    requestOf: (ids) => ({ body: { password: 'Ny-losen-2026!', SecurityStamp: 'x'.repeat(40), id: ids.accountId } }),
    open: [410],
    withoutRecords: true,
  },
  azureGet: { requestOf: nothing, withoutRecords: true },
  azureSave: {
    requestOf: () => ({ body: { clientId: randomUUID(), tenantId: randomUUID() } }),
    withoutRecords: true,
    allowed: [200, 400, 503],
  },
  azureDelete: { requestOf: nothing, withoutRecords: true },
  accessLogGet: { requestOf: (ids) => ({ query: { customerId: ids.customerId, patientId: ids.patientId } }) },
  accessLogExtract: { requestOf: (ids) => ({ params: { id: ids.patientId }, query: { format: 'csv' } }) },
  accessLogUsers: { requestOf: (ids) => ({ query: { customerId: ids.customerId } }) },
  roleClaims: { requestOf: nothing, withoutRecords: true },
  roles: { requestOf: nothing, withoutRecords: true },
  customerGet: byId('customerId'),
  customerGetAll: { requestOf: nothing, withoutRecords: true },
  claimsByRole: byId('roleId', { withoutRecords: true }),
  usersInRole: { requestOf: (ids) => ({ query: { id: ids.roleId } }), withoutRecords: true },
  customersByRole: { requestOf: (ids) => ({ query: { id: ids.roleId, CountOnly: 'true' } }), withoutRecords: true },
  roleCreate: {
    requestOf: () => ({ body: { name: `Ny ${randomUUID()}`, rank: 5, roleClaims: ['customer.get_itself'] } }),
    withoutRecords: true,
  },
  roleUpdate: {
    requestOf: (ids) => ({ body: { id: ids.roleId, name: `Ny ${randomUUID()}`, rank: 6, version: 1 } }),
    withoutRecords: true,
  },
  roleClaimsUpdate: {
    requestOf: (ids) => ({ body: { id: ids.roleId, roleClaims: ['customer.get_itself'], version: 1 } }),
    withoutRecords: true,
  },
  roleDelete: {
    requestOf: (ids) => ({ body: { deletingRoleId: ids.roleId, applyingRoleId: null } }),
    withoutRecords: true,
  },
  customerCreate: { requestOf: () => ({ body: clinicFields }), withoutRecords: true },
  customerUpdate: {
    requestOf: (ids) => ({ body: { ...clinicFields, id: ids.customerId, version: 1 } }),
    allowed: [200, 409],
  },
  customerDependentsGet: byId('customerId'),
  // The clinic is needed by other tests, so the version is wrong and the reply a conflict.
  customerDelete: {
    requestOf: (ids) => ({ params: { id: ids.customerId }, body: { version: 999_999 } }),
    allowed: [409],
  },
  deletedClinicsGet: { requestOf: nothing, withoutRecords: true },
  // The clinic is not deleted, so that nothing changes.
  customerRestore: byId('customerId'),
  reassignUser: { requestOf: (ids) => ({ body: { userId: ids.accountId, newCustomerId: ids.customerId } }) },
  accountCreate: {
    requestOf: (ids) => ({
      body: {
        ...employeeFields(ids),
        email: `${randomUUID()}@prov.example`,
        password: 'Ny-losen-2026!',
        roles: [ids.doctorRoleId],
      },
    }),
  },
  userFileCheck: { requestOf: (ids) => ({ body: userFile(ids) }) },
  userFileAdd: {
    requestOf: (ids) => ({ body: { ...userFile(ids), redirectUrl: 'http://localhost/authorization/newpassword' } }),
  },
  directoryTokens: ofCustomer,
  directoryTokenCreate: {
    requestOf: (ids) => ({ body: { customerId: ids.customerId, name: 'Entra ID', days: 90, invitesIn: null } }),
    // A clinic has five at most.
    allowed: [200, 400],
  },
  directoryTokenRevoke: {
    requestOf: (ids) => ({ body: { customerId: ids.customerId, id: randomUUID() } }),
    allowed: [404],
  },
  serviceAccounts: ofCustomer,
  serviceAccountCreate: {
    requestOf: (ids) => ({
      body: { customerIds: [ids.customerId], name: 'OHIF', scopes: ['dicomweb.read'], days: 90 },
    }),
    // A clinic has twenty at most.
    allowed: [200, 400],
  },
  serviceAccountRevoke: {
    requestOf: (ids) => ({ body: { customerId: ids.customerId, id: randomUUID() } }),
    allowed: [404],
  },
  dicomDevices: ofCustomer,
  dicomDeviceCreate: {
    requestOf: (ids) => ({
      body: {
        customerId: ids.customerId,
        name: 'Panorama',
        aeTitle: 'OPG',
        address: '192.0.2.7',
        port: 104,
        canRetrieve: true,
        canStore: true,
        atOnce: false,
      },
    }),
    // The title is taken after the first call.
    allowed: [200, 409],
  },
  dicomDeviceUpdate: {
    requestOf: (ids) => ({
      body: {
        customerId: ids.customerId,
        id: randomUUID(),
        name: 'Panorama',
        aeTitle: 'OPG',
        address: '192.0.2.7',
        port: 104,
        canRetrieve: true,
        canStore: true,
        atOnce: false,
      },
    }),
    allowed: [404],
  },
  dicomDeviceRemove: {
    requestOf: (ids) => ({ body: { customerId: ids.customerId, id: randomUUID() } }),
    allowed: [404],
  },
  dicomDeviceEcho: {
    requestOf: (ids) => ({ body: { customerId: ids.customerId, id: randomUUID() } }),
    allowed: [404],
  },
  accountUpdate: {
    requestOf: (ids) => ({
      body: { ...employeeFields(ids), id: ids.accountId, securityStamp: ids.securityStamp, version: 1 },
    }),
  },
  userSessionsEnd: { requestOf: (ids) => ({ body: { id: ids.accountId } }) },
  changeUserStatus: { requestOf: (ids) => ({ body: { id: ids.accountId, status: false } }) },
  accountDelete: byId('accountId'),
  setPassword: { requestOf: (ids) => ({ body: { id: ids.accountId, password: 'Ny-losen-2026!' } }) },
  customerUsers: ofCustomer,
  customerUsersAny: ofCustomer,
  usersAll: { requestOf: nothing, withoutRecords: true },
  superAdministrators: { requestOf: nothing, withoutRecords: true },
  pictureSave: {
    requestOf: (ids) => ({ params: { id: ids.accountId }, form: pictureForm() }),
    allowed: [200, 422],
  },
  pictureDelete: byId('accountId'),
  pictureGet: {
    requestOf: (ids) => ({
      params: { id: ids.accountId },
      query: { session: 'forged', expires: String(Date.now() + 60_000), signature: 'forged' },
    }),
    open: [410],
  },
  statisticsGet: { requestOf: nothing, withoutRecords: true },
  statisticsOfCustomer: ofCustomer,
  systemStatus: { requestOf: nothing, withoutRecords: true },
  systemDetails: { requestOf: nothing, withoutRecords: true },
  testMail: { requestOf: () => ({ body: { language: 'en' } }), withoutRecords: true },
  testSms: { requestOf: () => ({ body: { language: 'en' } }), withoutRecords: true },
  monitorCheckList: ofCustomer,
  monitorCheckAdd: { requestOf: (ids) => ({ body: { ...monitorCheckBody(), customerId: ids.customerId } }) },
  retentionDue: { requestOf: (ids) => ({ body: { customerId: ids.customerId } }) },
  destructionList: { requestOf: (ids) => ({ body: { customerId: ids.customerId } }) },
  destructionPropose: {
    requestOf: (ids) => ({
      body: {
        customerId: ids.customerId,
        kind: 'patient',
        subjectId: ids.otherPatientId,
        basis: 'authority',
        reference: 'IVO 1',
        reason: 'Prov',
      },
    }),
  },
  destructionApprove: {
    requestOf: (ids) => ({ params: { id: ids.destructionId }, body: { reference: 'IVO 7' } }),
  },
  destructionRefuse: byId('destructionId'),
  destructionRevoke: byId('destructionId'),
  logReviewList: { requestOf: (ids) => ({ query: { customerId: ids.customerId } }) },
  logReviewers: ofCustomer,
  logReviewGet: byId('reviewId'),
  logReviewCreate: {
    requestOf: (ids) => ({
      body: { customerId: ids.customerId, from: '2025-02-01', to: '2025-02-28', accountId: ids.accountId },
    }),
  },
  logReviewTakeOver: byId('reviewId'),
  logReviewClose: {
    requestOf: (ids) => ({ params: { id: ids.reviewId }, body: { outcome: 'nothing', comment: '' } }),
    // Assigned to another user.
    allowed: [409],
  },
  damagedImages: { requestOf: (ids) => ({ query: { customerId: ids.customerId } }) },
} as const satisfies Partial<Record<keyof typeof routes, Scene>>;
