import type { FastifyInstance } from 'fastify';
import { mayDo } from '../../contract/claims.ts';
import type { Viewset } from '../../contract/viewsets.ts';
import { viewsetMount, viewsetMove, viewsetUnmount } from '../../contract/viewsets.ts';
import { carryDisplay } from '../db/stores/displays.ts';
import { Refusal, withoutRight } from '../refusal.ts';
import { bind } from '../route-binding.ts';
import type { ResourceDependencies } from './dependencies.ts';
import { exchanged, type Hanging, hangs, holds, mounted, unmounted } from './hanging.ts';
import { changeViewsets } from './viewset-change.ts';
import { hangingOf, imageForViewset, writeHanging } from './viewset-hanging.ts';

const slotExists = ({ slots }: Hanging, index: number): void => {
  if (!slots.has(index)) throw new Refusal('not-found');
};

/** The slot must still hold what the person took out of it. */
const stillHolds = (hanging: Hanging, index: number, image: string): void => {
  slotExists(hanging, index);
  if (!holds(hanging, index, image)) throw new Refusal('conflict');
};

const only = ([viewset]: readonly Viewset[]): Viewset => {
  if (!viewset) throw new Error('a change of one viewset returned none');
  return viewset;
};

/**
 * Mount, unmount and move. `seriesUid` and `seriesUidTo` of the published calls are taken and not needed: an image has one series, and
 * stays in it wherever it hangs.
 */
export const viewsetMountRoutes = (server: FastifyInstance, deps: ResourceDependencies): void => {
  const { binding } = deps;

  bind(server, binding, viewsetMount, async ({ principal, body }) => {
    const { viewsetUid: id, version, itemIndex, imageUid } = body;
    const views = await changeViewsets(deps, principal, [{ id, version }], async (transaction, rows) => {
      const [viewset] = rows;
      if (!viewset) throw new Refusal('not-found');
      await imageForViewset(transaction, principal, viewset, imageUid);
      const now = await hangingOf(transaction, id);
      slotExists(now.hanging, itemIndex);
      const isChanged = await writeHanging(transaction, id, now, mounted(now.hanging, itemIndex, imageUid));
      return { changed: isChanged ? rows : [], action: 'image.mounted', objectId: imageUid };
    });
    return only(views);
  });

  bind(server, binding, viewsetUnmount, async ({ principal, body }) => {
    const { viewsetUid: id, version, itemIndex, imageUid } = body;
    const views = await changeViewsets(deps, principal, [{ id, version }], async (transaction, rows) => {
      const now = await hangingOf(transaction, id);
      stillHolds(now.hanging, itemIndex, imageUid);
      await writeHanging(transaction, id, now, unmounted(now.hanging, itemIndex));
      return { changed: rows, action: 'image.unmounted', objectId: imageUid };
    });
    return only(views);
  });

  bind(server, binding, viewsetMove, async ({ principal, body }) => {
    const { viewsetUidFrom: from, viewsetUidTo: to, itemIndexFrom, itemIndexTo, imageUid } = body;
    const isWithin = from === to;
    if (!isWithin && mayDo(principal.permissions, 'disable.move_view_set')) throw withoutRight('disable.move_view_set');
    const asked = [
      { id: from, version: body.version },
      { id: to, version: body.versionTo },
    ];
    return changeViewsets(deps, principal, asked, async (transaction, [source, target]) => {
      if (!source || !target) throw new Refusal('not-found');
      const image = await imageForViewset(transaction, principal, target, imageUid);
      const here = await hangingOf(transaction, from);
      stillHolds(here.hanging, itemIndexFrom, imageUid);
      const change = { action: 'image.moved', objectId: image.id } as const;
      if (isWithin) {
        slotExists(here.hanging, itemIndexTo);
        const isChanged = await writeHanging(transaction, from, here, mounted(here.hanging, itemIndexTo, imageUid));
        return { ...change, changed: isChanged ? [source] : [] };
      }
      const there = await hangingOf(transaction, to);
      slotExists(there.hanging, itemIndexTo);
      const occupant = there.hanging.slots.get(itemIndexTo) ?? null;
      // An image hangs once in a viewset: what the other side has already cannot be moved there.
      if (hangs(there.hanging, imageUid) || (occupant !== null && hangs(here.hanging, occupant)))
        throw new Refusal('conflict');
      const [left, right] = exchanged(
        { hanging: here.hanging, index: itemIndexFrom },
        { hanging: there.hanging, index: itemIndexTo },
      );
      await writeHanging(transaction, from, here, left);
      await writeHanging(transaction, to, there, right);
      await carryDisplay(transaction, imageUid, { from, to }, principal.accountId);
      if (occupant !== null) await carryDisplay(transaction, occupant, { from: to, to: from }, principal.accountId);
      return { ...change, changed: [source, target] };
    });
  });
};
