import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountDelete, customerUsers, pictureDelete, pictureGet, pictureSave } from '../../contract/users.ts';
import { createPictureLinks } from '../../server/identity/picture-links.ts';
import { portraitOf } from '../../server/identity/portrait.ts';
import { limitOf } from '../../server/web/rate-limits.ts';
import { type EmployeesUnderTest, employeesUnderTest } from './employees-under-test.ts';
import { sealIn } from './link-seal.ts';
import { openSession } from './open-session.ts';

let test: EmployeesUnderTest;

beforeAll(async () => {
  test = await employeesUnderTest();
});
afterAll(() => test?.close());

const drawn = (width: number, height: number, background = '#336699') =>
  sharp({ create: { width, height, channels: 3, background } });
const png = (width = 400, height = 300, background?: string) => drawn(width, height, background).png().toBuffer();
const formOf = (bytes: Uint8Array | null) => {
  const form = new FormData();
  form.append('note', 'of the summer party');
  if (bytes) form.append('file', new Blob([Uint8Array.from(bytes)]), 'summer.png');
  return form;
};
const save = (id: string, bytes: Uint8Array | null, as = 'admin') =>
  test.callRoute(pictureSave, as, { params: { id }, form: formOf(bytes) });
const open = (link: string) => fetch(`${test.url}${link}`);
const notReadable = { status: 422, body: { code: 'picture-not-readable' } };

describe('a picture', () => {
  it('is stored as a square, available by its link only, and logged', async () => {
    const own = await test.created();
    const { status, body } = await save(own.id, await png());
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toEqual({ ...own, picture: expect.stringContaining(`/api/Account/picture/${own.id}?`) });
    const shown = await open(body.picture);
    expect(shown.status).toBe(200);
    expect(shown.headers.get('content-type')).toBe('image/webp');
    expect(shown.headers.get('cache-control')).toBe('no-store');
    const { width, height, format } = await sharp(await shown.arrayBuffer()).metadata();
    expect({ width, height, format }).toEqual({ width: 256, height: 256, format: 'webp' });
    const { body: list } = await test.callRoute(customerUsers, 'admin', {
      params: test.clinics,
      query: { q: own.email.slice(0, 30) },
    });
    expect(list.data[0].picture).toBe(body.picture);
    expect((await test.entriesOf(own.id)).map(({ action }) => action)).toEqual(['user.created', 'user.edited']);
  });

  it('gets a new link when replaced, and the old link is invalid', async () => {
    const own = await test.created();
    const first = await save(own.id, await png());
    const second = await save(own.id, await png(300, 300, '#ffffff'));
    expect(second.body.picture).not.toBe(first.body.picture);
    expect((await open(first.body.picture)).status).toBe(410);
    expect((await open(second.body.picture)).status).toBe(200);
  });

  it('is removed on request and with its user', async () => {
    const own = await test.created();
    const { body } = await save(own.id, await png());
    const without = await test.callRoute(pictureDelete, 'admin', { params: { id: own.id } });
    expect(without).toEqual({ status: 200, body: own });
    expect((await test.callRoute(pictureDelete, 'admin', { params: { id: own.id } })).status).toBe(200);
    expect((await open(body.picture)).status).toBe(410);
    const again = await save(own.id, await png());
    await test.callRoute(accountDelete, 'admin', { params: { id: own.id } });
    expect((await open(again.body.picture)).status).toBe(410);
    expect(await test.db.selectFrom('account_picture').selectAll().where('account_id', '=', own.id).execute()).toEqual(
      [],
    );
  });

  it('is served only for a valid link of this archive', async () => {
    const [own, other] = [await test.created(), await test.created()];
    const { body } = await save(own.id, await png());
    await save(other.id, await png());
    const link = new URL(body.picture, 'http://x');
    const moved = body.picture.replace(own.id, other.id);
    link.searchParams.set('expires', String(Number(link.searchParams.get('expires')) + 1));
    for (const forged of [moved, `${link.pathname}${link.search}`, pictureGet.path.replace(':id', own.id)])
      expect([400, 410]).toContain((await open(forged)).status);
    const early = createPictureLinks(test.db, 'key', () => 0);
    const session = { grantId: await openSession(test.db, own.id) };
    const seal = sealIn(early.linkTo('a', 'b', session));
    expect(await early.isValid('a', 'b', seal)).toBe(true);
    expect(await early.isValid('a', 'c', seal)).toBe(false);
    expect(await createPictureLinks(test.db, 'key').isValid('a', 'b', seal)).toBe(false);
  });

  it('can be changed only by users who may change its owner', async () => {
    const own = await test.created({ customerId: test.clinics.otherCustomerId });
    expect(await save(own.id, await png(), 'admin')).toMatchObject({ status: 404, body: { code: 'user-not-found' } });
    expect((await save(own.id, await png(), 'other')).status).toBe(403);
    expect((await save(own.id, await png(), 'super')).status).toBe(200);
  });

  it('does not conflict with an edit that started earlier', async () => {
    const own = await test.created();
    expect((await save(own.id, await png())).body.version).toBe(own.version);
  });
});

describe('an invalid picture', () => {
  it.each([
    ['a text', Buffer.from('no picture at all')],
    ['nothing', Buffer.alloc(0)],
  ])('%s is rejected', async (_, bytes) => {
    const own = await test.created();
    expect(await save(own.id, bytes)).toMatchObject(notReadable);
  });

  it('a form without a file is rejected with its field', async () => {
    const own = await test.created();
    const answer = await save(own.id, null);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid-request', errors: [{ fieldKey: 'file' }] } });
  });

  it('another format, a truncated file, or more than 5 MB', async () => {
    const own = await test.created();
    expect(await save(own.id, await drawn(100, 100).webp().toBuffer())).toMatchObject(notReadable);
    expect(
      await save(own.id, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')),
    ).toMatchObject(notReadable);
    const noise = sharp({
      create: {
        width: 500,
        height: 500,
        channels: 3,
        background: '#000',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    });
    const jpeg = await noise.jpeg().toBuffer();
    expect(await save(own.id, jpeg.subarray(0, jpeg.length / 2))).toMatchObject(notReadable);
    expect(await save(own.id, Buffer.concat([jpeg, Buffer.alloc(5_000_000)]))).toMatchObject(notReadable);
    expect((await save(own.id, jpeg)).status).toBe(200);
  });

  it('a few bytes that claim to be an enormous picture', async () => {
    const bomb = await drawn(9_000, 9_000, '#000').png({ compressionLevel: 9 }).toBuffer();
    expect(bomb.length).toBeLessThan(1_000_000);
    await expect(portraitOf(bomb)).rejects.toMatchObject({ code: 'picture-not-readable' });
  });
});

it('is rotated upright and cropped to its centre, without camera metadata', async () => {
  const left = await drawn(100, 300, '#ff0000').png().toBuffer();
  const rotated = await drawn(300, 300, '#0000ff')
    .composite([{ input: left, left: 0, top: 0 }])
    .withExif({ IFD0: { Artist: 'Hemlig Person' } })
    .jpeg({ quality: 95 })
    .toBuffer();
  // Displayed rotated by a quarter: the left side becomes the top.
  const turned = await sharp(rotated).withMetadata({ orientation: 6 }).toBuffer();
  const portrait = await portraitOf(turned);
  expect(Buffer.from(portrait).includes('Hemlig')).toBe(false);
  const { data, info } = await sharp(portrait).raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => [...data.subarray((y * info.width + x) * info.channels).subarray(0, 3)];
  const [top, bottom] = [at(128, 20), at(128, 236)];
  expect(top[0]).toBeGreaterThan(180);
  expect(bottom[2]).toBeGreaterThan(180);
});

it('has the rate limit of pictures, not that of passwords', () => {
  expect(limitOf('/api/Account/picture/x')).toBe(limitOf('/resource/thumbnail'));
  expect(limitOf('/api/Account/reset_password')).toBeLessThan(limitOf('/api/Account/picture/x'));
});
