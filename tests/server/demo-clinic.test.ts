import { describe, expect, it } from 'vitest';
import { allClaims } from '../../contract/claims.ts';
import { demoClinic } from '../../demo/clinic.ts';
import { drawClinic, drawingsOf } from '../../demo/draw-clinic.ts';
import type { DrawPool } from '../../demo/draw-pool.ts';
import { luhnDigit, testOrganisationNumber, testPersonalNumber } from '../../demo/personal-number.ts';
import { DEMO_PASSWORD } from '../../demo/users.ts';

const clinic = demoClinic('2026-11-20');
const drawings = drawingsOf(clinic);
const unique = (values: readonly string[]) => new Set(values).size === values.length;

describe('the users of the demo clinic', () => {
  it('have valid personal numbers that fit birth date and sex and are never assigned to real people', () => {
    for (const { personalNumber, birthDate, sex } of clinic.patients) {
      expect(personalNumber).toMatch(/^\d{12}$/);
      expect(personalNumber.slice(0, 8)).toBe(birthDate.replaceAll('-', ''));
      expect(Number(personalNumber.slice(8, 11))).toBeGreaterThanOrEqual(980);
      expect(Number(personalNumber.charAt(10)) % 2).toBe(sex === 'M' ? 1 : 0);
      expect(luhnDigit(personalNumber.slice(2, 11))).toBe(Number(personalNumber.charAt(11)));
    }
    expect(unique([...clinic.patients, ...clinic.users].map(({ personalNumber }) => personalNumber))).toBe(true);
    expect(() => testPersonalNumber('1980-01-01', 'F', 10)).toThrow(RangeError);
    // A number that Skatteverket uses as an example: 811228-9874.
    expect(luhnDigit('811228987')).toBe(4);
  });

  it('belong to clinics with valid, unassigned numbers', () => {
    for (const { organisationNumber } of clinic.customers) {
      const digits = organisationNumber.replace('-', '');
      expect(luhnDigit(digits.slice(0, 9))).toBe(Number(digits.charAt(9)));
      expect(digits.startsWith('4')).toBe(true);
    }
    expect(() => testOrganisationNumber('556000000')).toThrow(RangeError);
  });

  it('cover the three roles in both clinics and can sign in', () => {
    expect(clinic.roles.map(({ name, rank }) => [name, rank])).toEqual([
      ['SuperAdmin', 0],
      ['CustomerAdmin', 1],
      ['Doctor', 2],
    ]);
    for (const customer of clinic.customers) {
      const staff = clinic.users.filter(({ customerId }) => customerId === customer.id).map(({ roleName }) => roleName);
      expect(staff).toEqual(['CustomerAdmin', 'Doctor', 'Doctor']);
    }
    for (const user of clinic.users) {
      expect(user.email).toMatch(/^[a-z]+\.[a-z]+@dentarium\.example$/);
      expect(clinic.roles.find(({ id }) => id === user.roleId)?.name).toBe(user.roleName);
    }
    expect(clinic.roles.flatMap(({ claims }) => claims).every((claim) => allClaims.includes(claim))).toBe(true);
    expect(DEMO_PASSWORD).toMatch(/^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])(?=.*[^\w]).{6,100}$/);
  });
});

describe('the studies of the demo clinic', () => {
  it('use every modality and both grey encodings', () => {
    expect(new Set(drawings.map(({ series }) => series.modality))).toEqual(
      new Set(['IO', 'PX', 'DX', 'CR', 'CT', 'XC']),
    );
    const kinds = drawings.map(({ image: { recipe } }) => (recipe.kind === 'intra-oral' ? recipe.photometric : ''));
    expect(kinds).toContain('MONOCHROME1');
    expect(kinds).toContain('MONOCHROME2');
    expect(drawings.length).toBeGreaterThan(150);
  });

  it('have ids that are the same in every run', () => {
    expect(unique(drawings.map(({ image }) => image.sopInstanceUid))).toBe(true);
    expect(unique(clinic.patients.flatMap(({ studies }) => studies.map(({ uid }) => uid)))).toBe(true);
    expect(unique(clinic.patients.map(({ id }) => id))).toBe(true);
    const later = demoClinic('2027-03-01');
    expect(drawingsOf(later).map(({ image }) => image.sopInstanceUid)).toEqual(
      drawings.map(({ image }) => image.sopInstanceUid),
    );
  });

  it("are dated before the anchor date, on working days, in opening hours and within the patient's lifetime", () => {
    for (const { patient, study, image } of drawings) {
      expect(study.startedAt < '2026-11-20T24').toBe(true);
      expect(study.startedAt > patient.birthDate).toBe(true);
      expect([0, 6]).not.toContain(new Date(`${study.startedAt}Z`).getUTCDay());
      expect(Number(study.startedAt.slice(11, 13))).toBeGreaterThanOrEqual(8);
      expect(image.acquiredAt >= study.startedAt).toBe(true);
    }
    expect(() => demoClinic('20 November')).toThrow('anchor date');
  });

  it('mount each image at most once, in a slot that matches its teeth and proportions', () => {
    for (const { viewset, series } of clinic.patients.flatMap(({ studies }) => studies)) {
      const images = series.flatMap((one) => one.images);
      if (viewset === null) continue;
      const template = clinic.templates.find(({ uuid }) => uuid === viewset.templateUuid);
      expect(unique([...viewset.placements.map((placement) => placement.sopInstanceUid), ...viewset.detached])).toBe(
        true,
      );
      expect(viewset.placements.length + viewset.detached.length).toBe(images.length);
      for (const { itemIndex, sopInstanceUid } of viewset.placements) {
        const slot = template?.viewSetItems[itemIndex];
        const image = images.find((one) => one.sopInstanceUid === sopInstanceUid);
        expect(image?.teeth).toEqual(slot?.teeth);
        const shape = (image?.recipe.columns ?? 0) / (image?.recipe.rows ?? 1);
        expect(Math.abs(shape / ((slot?.width ?? 0) / (slot?.height ?? 1)) - 1)).toBeLessThan(0.01);
      }
    }
  });
});

describe('the templates', () => {
  it.each([...clinic.templates])('$name: slots are numbered in order, lie inside and do not overlap', (template) => {
    template.viewSetItems.forEach((slot, index) => {
      expect([slot.order, slot.itemIndex]).toEqual([index + 1, index]);
      expect(
        slot.xPos >= 0 &&
          slot.yPos >= 0 &&
          slot.xPos + slot.width <= template.width &&
          slot.yPos + slot.height <= template.height,
      ).toBe(true);
      for (const other of template.viewSetItems.slice(index + 1)) {
        const apart =
          slot.xPos + slot.width <= other.xPos ||
          other.xPos + other.width <= slot.xPos ||
          slot.yPos + slot.height <= other.yPos ||
          other.yPos + other.height <= slot.yPos;
        expect(apart).toBe(true);
      }
    });
  });

  it("FMX 18 shows the patient's right side on the left and the upper jaw on top", () => {
    const fmx = clinic.templates.find(({ name }) => name === 'FMX 18');
    const slotOf = (tooth: number, view: string) =>
      fmx?.viewSetItems.find((slot) => slot.view === view && slot.teeth.includes(tooth));
    expect(slotOf(16, 'periapical')?.xPos).toBeLessThan(slotOf(26, 'periapical')?.xPos ?? 0);
    expect(slotOf(46, 'periapical')?.xPos).toBeLessThan(slotOf(36, 'periapical')?.xPos ?? 0);
    expect(slotOf(16, 'periapical')?.yPos).toBeLessThan(slotOf(46, 'periapical')?.yPos ?? 0);
    expect(slotOf(13, 'periapical')?.xPos).toBeLessThan(slotOf(23, 'periapical')?.xPos ?? 0);
    expect([fmx?.width, fmx?.height, fmx?.viewSetItems.length]).toEqual([10_700, 3900, 18]);
  });
});

describe('drawClinic', () => {
  const stub = (draw: DrawPool['drawImage']): DrawPool => ({ drawImage: draw, size: 2, close: async () => {} });

  it('stores each image once and counts to the end', async () => {
    const stored: string[] = [];
    const counts: number[] = [];
    await drawClinic(clinic, {
      pool: stub(async (_recipe, identity) => new TextEncoder().encode(identity.image.sopInstanceUid)),
      store: async (bytes) => void stored.push(new TextDecoder().decode(bytes)),
      progress: (done, total) => counts.push(done / total),
    });
    expect(stored.sort()).toEqual(drawings.map(({ image }) => image.sopInstanceUid).sort());
    expect(counts.at(-1)).toBe(1);
  });

  it('stops at the first failure, and when aborted', async () => {
    let drawn = 0;
    const failing = stub(async () => {
      if (drawn++ === 5) throw new Error('no paint');
      return new Uint8Array();
    });
    await expect(drawClinic(clinic, { pool: failing, store: async () => {} })).rejects.toThrow('no paint');
    expect(drawn).toBeLessThan(20);
    const stop = new AbortController();
    const stopping = drawClinic(clinic, {
      pool: stub(async () => new Uint8Array()),
      store: async () => stop.abort(new Error('enough')),
      signal: stop.signal,
    });
    await expect(stopping).rejects.toThrow('enough');
  });
});
