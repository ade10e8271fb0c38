import type { FastifyInstance } from 'fastify';
import { hasClaim } from '../../contract/claims.ts';
import type { Viewset } from '../../contract/viewsets.ts';
import { viewsetMount, viewsetMove, viewsetUnmount } from '../../contract/viewsets.ts';
import { moveDisplay } from '../db/stores/displays.ts';
import { readPlacement, writePlacement } from '../db/stores/stored-placement.ts';
import { exchangeSlots, holds, isMounted, mountImage, type Placement, unmountSlot } from '../domain/placement.ts';
import { noRightError, ProblemError } from '../domain/problem-error.ts';
import { bind } from '../route-binding.ts';
import type { ResourceDependencies } from './dependencies.ts';
import { changeViewsets } from './viewset-change.ts';
import { imageForViewset } from './viewset-placement.ts';

const slotExists = ({ slots }: Placement, index: number): void => {
  if (!slots.has(index)) throw new ProblemError('not-found');
};

/** The slot must still hold the image that the user saw. */
const stillHolds = (placement: Placement, index: number, image: string): void => {
  slotExists(placement, index);
  if (!holds(placement, index, image)) throw new ProblemError('conflict');
};

const only = ([viewset]: readonly Viewset[]): Viewset => {
  if (!viewset) throw new Error('a change of one viewset returned none');
  return viewset;
};

/**
 * Registers mount, unmount and move. `seriesUid` and `seriesUidTo` of the published API are accepted and ignored: mounting never changes an
 * image's series.
 */
export const viewsetMountRoutes = (server: FastifyInstance, deps: ResourceDependencies): void => {
  const { binding } = deps;

  bind(server, binding, viewsetMount, async ({ principal, body }) => {
    const { viewsetUid: id, version, itemIndex, imageUid } = body;
    const views = await changeViewsets(deps, principal, [{ id, version }], async (transaction, rows) => {
      const [viewset] = rows;
      if (!viewset) throw new ProblemError('not-found');
      await imageForViewset(transaction, principal, viewset, imageUid);
      const now = await readPlacement(transaction, id);
      slotExists(now.placement, itemIndex);
      const isChanged = await writePlacement(transaction, id, now, mountImage(now.placement, itemIndex, imageUid));
      return { changed: isChanged ? rows : [], action: 'image.mounted', objectId: imageUid };
    });
    return only(views);
  });

  bind(server, binding, viewsetUnmount, async ({ principal, body }) => {
    const { viewsetUid: id, version, itemIndex, imageUid } = body;
    const views = await changeViewsets(deps, principal, [{ id, version }], async (transaction, rows) => {
      const now = await readPlacement(transaction, id);
      stillHolds(now.placement, itemIndex, imageUid);
      await writePlacement(transaction, id, now, unmountSlot(now.placement, itemIndex));
      return { changed: rows, action: 'image.unmounted', objectId: imageUid };
    });
    return only(views);
  });

  bind(server, binding, viewsetMove, async ({ principal, body }) => {
    const { viewsetUidFrom: from, viewsetUidTo: to, itemIndexFrom, itemIndexTo, imageUid } = body;
    const isWithin = from === to;
    if (!isWithin && hasClaim(principal.permissions, 'disable.move_view_set'))
      throw noRightError('disable.move_view_set');
    const viewsetVersions = [
      { id: from, version: body.version },
      { id: to, version: body.versionTo },
    ];
    return changeViewsets(deps, principal, viewsetVersions, async (transaction, [source, target]) => {
      if (!source || !target) throw new ProblemError('not-found');
      const image = await imageForViewset(transaction, principal, target, imageUid);
      const here = await readPlacement(transaction, from);
      stillHolds(here.placement, itemIndexFrom, imageUid);
      const change = { action: 'image.moved', objectId: image.id } as const;
      if (isWithin) {
        slotExists(here.placement, itemIndexTo);
        const isChanged = await writePlacement(
          transaction,
          from,
          here,
          mountImage(here.placement, itemIndexTo, imageUid),
        );
        return { ...change, changed: isChanged ? [source] : [] };
      }
      const there = await readPlacement(transaction, to);
      slotExists(there.placement, itemIndexTo);
      const occupant = there.placement.slots.get(itemIndexTo) ?? null;
      // An image can be mounted once in a viewset, so one that the target has cannot be moved there.
      if (isMounted(there.placement, imageUid) || (occupant !== null && isMounted(here.placement, occupant)))
        throw new ProblemError('conflict');
      const [left, right] = exchangeSlots(
        { placement: here.placement, index: itemIndexFrom },
        { placement: there.placement, index: itemIndexTo },
      );
      await writePlacement(transaction, from, here, left);
      await writePlacement(transaction, to, there, right);
      await moveDisplay(transaction, imageUid, { from, to }, principal.accountId);
      if (occupant !== null) await moveDisplay(transaction, occupant, { from: to, to: from }, principal.accountId);
      return { ...change, changed: [source, target] };
    });
  });
};
