import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Claim } from '../../contract/claims.ts';
import { type Display, plainDisplay } from '../../contract/displays.ts';
import type { Viewset } from '../../contract/viewsets.ts';
import type { ArchiveOptions } from '../../server/archive-options.ts';
import { ensureStandardTemplates } from '../../server/db/stores/templates.ts';
import type { StandardLayout } from '../../server/domain/standard-layouts.ts';
import { standardTemplate } from '../../server/domain/standard-templates.ts';
import { archiveUnderTest } from './archive-under-test.ts';
import { addAccount } from './clinic.ts';
import { smallObject } from './small-object.ts';

export const turned: Display = { ...plainDisplay, rotation: 90, horizontalFlip: true, gamma: 2 };

/** An archive with the standard templates, a patient with images in one study, and the calls of the viewer. */
export const viewsetBench = async (extra: Partial<ArchiveOptions> = {}) => {
  const archive = await archiveUnderTest(extra);
  await ensureStandardTemplates(archive.db);
  const patientId = await archive.addPatient();
  const studyUid = '2.25.1002';
  const permissionsOfRoles = new Map(archive.principals);
  let imported = 0;

  /** Ids of new images, unmounted in the tray. Each `study` is a separate study; without one they share the patient's first. */
  const addImages = async (count: number, patient = patientId, study?: string): Promise<string[]> => {
    const names = Array.from({ length: count }, (_, index) => String(imported + index + 1).padStart(4, '0'));
    imported += count;
    const object = (name: string) => ({
      SOPInstanceUID: `2.25.7${name}`,
      InstanceNumber: Number(name),
      ...(study === undefined ? {} : { StudyInstanceUID: study, SeriesInstanceUID: `${study}.1` }),
    });
    const files = Object.fromEntries(names.map((name) => [`${name}.dcm`, smallObject(object(name))]));
    const { files: done } = await archive.importAll(patient, files);
    await archive.archive.thumbnails.idle();
    return done
      .toSorted((one, other) => (one.fileName < other.fileName ? -1 : 1))
      .map(({ imageUid }) => imageUid ?? 'not imported');
  };

  /** Sets the claims of the account to those of its role and these. */
  const allow = (accountId: string, claims: readonly Claim[]): void => {
    const principal = archive.principals.get(accountId);
    if (!principal) throw new Error('no such account');
    const { permissions } = permissionsOfRoles.get(accountId) ?? principal;
    archive.principals.set(accountId, { ...principal, permissions: [...permissions, ...claims] });
  };

  /** Id of another doctor of the clinic. */
  const addColleague = async (): Promise<string> => {
    const { customerId, doctorId } = archive.clinics;
    const id = await addAccount(archive.db, { email: 'kollega@prov.example', role: 'Doctor', customerId });
    const doctor = archive.principals.get(doctorId);
    if (doctor) archive.principals.set(id, { ...doctor, accountId: id });
    return id;
  };

  const send = (method: string, target: string, body?: unknown, as?: string): Promise<Response> =>
    archive.call(target, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      ...(as === undefined ? {} : { as }),
    });
  const mount = (body: object, as?: string) => send('POST', '/resource/viewset/image/mount', body, as);
  const unmount = (body: object, as?: string) => send('POST', '/resource/viewset/image/unmount', body, as);
  const move = (body: object, as?: string) => send('POST', '/resource/viewset/image/move', body, as);
  const saveDisplay = (body: object, as?: string) => send('PUT', '/resource/viewset/image/display', body, as);
  const get = async (id: string): Promise<Viewset> => (await archive.call(`/resource/viewset/${id}`)).json();

  const create = async (layout: StandardLayout, more: object = {}): Promise<Viewset> => {
    const { uuid } = standardTemplate(layout);
    const request = { patientUID: patientId, currentStudyUID: studyUid, currentViewsetUID: null, templateUUID: uuid };
    const reply = await send('POST', '/resource/viewset/', { ...request, ...more });
    if (!reply.ok) throw new Error(`create: ${reply.status} ${await reply.text()}`);
    return reply.json();
  };

  /** Clears recorded events, runs the work, and returns the names and bodies of the events since. */
  const eventsOf = async (work: () => Promise<unknown>) => {
    archive.events.length = 0;
    await work();
    return archive.events.map(({ groups, event }) => ({ groups, ...event }));
  };

  return {
    ...archive,
    addColleague,
    addImages,
    allow,
    create,
    get,
    mount,
    move,
    eventsOf,
    patientId,
    saveDisplay,
    send,
    studyUid,
    unmount,
  };
};

export type ViewsetBench = Awaited<ReturnType<typeof viewsetBench>>;

/** Ids by slot, and those of the tray. */
export const shown = (viewset: Viewset) => ({
  slots: viewset.viewSetItems.map(({ activeImage }) => activeImage?.uid ?? null),
  tray: viewset.detachedImages.map(({ uid }) => uid),
});

export const expectProblem = async (reply: Response, status: number, code: string): Promise<void> => {
  expect([reply.status, (await reply.json()).code]).toEqual([status, code]);
};

export const nowhere = randomUUID();
