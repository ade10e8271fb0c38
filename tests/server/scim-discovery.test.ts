import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ScimUnderTest, scimUnderTest } from './scim-under-test.ts';

let test: ScimUnderTest;

beforeAll(async () => {
  test = await scimUnderTest();
});
afterAll(() => test?.close());

interface Attribute {
  readonly name: string;
  readonly type: string;
  readonly subAttributes?: readonly Attribute[];
}
const resource = async (path: string) => (await test.call('GET', path)).body;

describe('the service describes itself', () => {
  it('with what it supports', async () => {
    expect(await resource('/ServiceProviderConfig')).toMatchObject({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
      patch: { supported: true },
      bulk: { supported: false },
      filter: { supported: true, maxResults: 500 },
      changePassword: { supported: false },
      sort: { supported: false },
      etag: { supported: false },
      authenticationSchemes: [{ type: 'oauthbearertoken' }],
    });
  });

  it.each(['/Schemas', '/ResourceTypes'])('with %s, each at its own address', async (path) => {
    const { Resources, totalResults } = await resource(path);
    expect(totalResults).toBe(2);
    for (const one of Resources) {
      expect(one.meta.location).toBe(`http://localhost/scim/v2/${test.clinics.customerId}${path}/${one.id}`);
      expect(await resource(`${path}/${one.id}`)).toEqual(one);
    }
    expect((await test.call('GET', `${path}/Unknown`)).status).toBe(404);
  });

  it('with a schema that has every attribute of its users and groups', async () => {
    const own = await test.createdUser({ phoneNumbers: [{ value: '070-1' }] });
    const { Resources } = await resource('/ResourceTypes');
    for (const { endpoint, schema } of Resources) {
      const { attributes } = await resource(`/Schemas/${schema}`);
      const [shown] = (await resource(endpoint)).Resources.filter(
        ({ id, members }: { id: string; members?: readonly unknown[] }) => id === own.id || members?.length,
      );
      const common = ['schemas', 'id', 'externalId', 'meta'];
      for (const [name, value] of Object.entries(shown).filter(([key]) => !common.includes(key))) {
        const attribute = attributes.find((one: Attribute) => one.name === name);
        expect(attribute, name).toBeDefined();
        const [first] = [value].flat();
        if (typeof first !== 'object' || first === null) continue;
        const subs = attribute.subAttributes.map((one: Attribute) => one.name);
        expect(subs, name).toEqual(expect.arrayContaining(Object.keys(first)));
      }
    }
  });
});
