import { groupSchema } from './scim-group.ts';
import { countAtMost } from './scim-list.ts';
import { userSchema } from './scim-user.ts';

const core = 'urn:ietf:params:scim:schemas:core:2.0';

interface Details {
  readonly description: string;
  readonly type?: 'string' | 'boolean' | 'reference' | 'complex';
  readonly required?: boolean;
  readonly mutability?: 'readWrite' | 'readOnly' | 'immutable';
  readonly uniqueness?: 'none' | 'server';
  readonly caseExact?: boolean;
  readonly multiValued?: boolean;
  readonly referenceTypes?: readonly string[];
  readonly canonicalValues?: readonly string[];
  readonly subAttributes?: readonly object[];
}

const attribute = (name: string, { type = 'string', ...details }: Details) => ({
  name,
  type,
  multiValued: false,
  required: false,
  mutability: 'readWrite',
  returned: 'default',
  ...(type === 'boolean' || type === 'complex' ? {} : { caseExact: false, uniqueness: 'none' }),
  ...details,
});
const several = (name: string, { subAttributes, ...details }: Details) =>
  attribute(name, { ...details, type: 'complex', multiValued: true, subAttributes: subAttributes ?? [] });
const valueAttributes = (what: string) => [
  attribute('value', { description: what, required: true }),
  attribute('type', { description: 'Always "work"', mutability: 'readOnly', canonicalValues: ['work'] }),
  attribute('primary', {
    type: 'boolean',
    description: 'Always true: the archive stores one value',
    mutability: 'readOnly',
  }),
];

const userAttributes = [
  attribute('userName', {
    description: 'The name with which the user signs in by Azure AD; the e-mail address where emails is absent',
    required: true,
    uniqueness: 'server',
  }),
  attribute('name', {
    type: 'complex',
    description: 'The name',
    required: true,
    subAttributes: [
      attribute('familyName', { description: 'Last name, 2 to 100 characters', required: true }),
      attribute('givenName', { description: 'First name, 2 to 100 characters', required: true }),
    ],
  }),
  attribute('displayName', { description: 'Both names', mutability: 'readOnly' }),
  attribute('active', { type: 'boolean', description: 'Whether the user may sign in', required: true }),
  several('emails', {
    description: 'One e-mail address is stored; userName where it is absent',
    required: true,
    subAttributes: valueAttributes('E-mail address'),
  }),
  several('phoneNumbers', { description: 'One telephone is stored', subAttributes: valueAttributes('Telephone') }),
  several('groups', {
    description: 'The role, as a group',
    mutability: 'readOnly',
    subAttributes: [
      attribute('value', { description: 'Id of the group', mutability: 'readOnly', caseExact: true }),
      attribute('$ref', {
        type: 'reference',
        description: 'Address of the group',
        mutability: 'readOnly',
        referenceTypes: ['Group'],
        caseExact: true,
      }),
      attribute('display', { description: 'Name of the group', mutability: 'readOnly' }),
      attribute('type', { description: 'Always "direct"', mutability: 'readOnly', canonicalValues: ['direct'] }),
    ],
  }),
];

const groupAttributes = [
  attribute('displayName', { description: 'Name of the role', mutability: 'readOnly', required: true }),
  several('members', {
    description: 'The users with the role',
    subAttributes: [
      attribute('value', { description: 'Id of the user', mutability: 'immutable', caseExact: true }),
      attribute('$ref', {
        type: 'reference',
        description: 'Address of the user',
        mutability: 'immutable',
        referenceTypes: ['User'],
        caseExact: true,
      }),
      attribute('display', { description: 'Name of the user', mutability: 'readOnly' }),
      attribute('type', { description: 'Always "User"', mutability: 'immutable', canonicalValues: ['User'] }),
    ],
  }),
];

/** @param base address of the clinic's SCIM service */
export const schemasOf = (base: string) =>
  [
    { id: userSchema, name: 'User', description: 'A user of the clinic', attributes: userAttributes },
    { id: groupSchema, name: 'Group', description: 'A role', attributes: groupAttributes },
  ].map((schema) => ({
    schemas: [`${core}:Schema`],
    ...schema,
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${schema.id}` },
  }));

export const resourceTypesOf = (base: string) =>
  [
    { id: 'User', endpoint: '/Users', schema: userSchema, description: 'Users of the clinic' },
    { id: 'Group', endpoint: '/Groups', schema: groupSchema, description: 'Roles, whose members are users' },
  ].map((type) => ({
    schemas: [`${core}:ResourceType`],
    name: type.id,
    ...type,
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${type.id}` },
  }));

export const providerConfigOf = (base: string) => ({
  schemas: [`${core}:ServiceProviderConfig`],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: countAtMost },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Token of the clinic',
      description: 'A token that a clinic administrator has made, as OAuth bearer token',
      specUri: 'https://www.rfc-editor.org/info/rfc6750',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
});
