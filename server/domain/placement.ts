/**
 * Placement of images in a viewset: slots by index with the mounted image, and the tray of unmounted images in order. Images in the recycle bin are
 * not included; their slots count as empty.
 */
export interface Placement {
  readonly slots: ReadonlyMap<number, string | null>;
  readonly tray: readonly string[];
}

const withSlots = (placement: Placement, changes: readonly (readonly [number, string | null])[]): Placement => ({
  ...placement,
  slots: new Map([...placement.slots, ...changes]),
});

const slotOf = (placement: Placement, image: string): number | null =>
  [...placement.slots].find(([, mounted]) => mounted === image)?.[0] ?? null;

const toTray = (placement: Placement, image: string | null): Placement =>
  image === null ? placement : { ...placement, tray: [...placement.tray.filter((one) => one !== image), image] };

const fromTray = (placement: Placement, image: string): Placement => ({
  ...placement,
  tray: placement.tray.filter((one) => one !== image),
});

/** Returns whether the slot holds exactly this image, as the client assumed. */
export const holds = (placement: Placement, index: number, image: string): boolean =>
  placement.slots.get(index) === image;

/**
 * Mounts an image in an existing slot. An image already mounted here swaps places with the occupant; otherwise the occupant moves to the end of the
 * tray.
 */
export const mountImage = (placement: Placement, index: number, image: string): Placement => {
  const occupant = placement.slots.get(index) ?? null;
  const from = slotOf(placement, image);
  if (from !== null)
    return withSlots(placement, [
      [from, occupant],
      [index, image],
    ]);
  return withSlots(toTray(fromTray(placement, image), occupant), [[index, image]]);
};

/** Moves the image of a slot to the end of the tray. */
export const unmountSlot = (placement: Placement, index: number): Placement =>
  withSlots(toTray(placement, placement.slots.get(index) ?? null), [[index, null]]);

/** Swaps the images of two slots in two viewsets. Neither image may already be mounted in the other viewset. */
export const exchangeSlots = (
  one: { readonly placement: Placement; readonly index: number },
  other: { readonly placement: Placement; readonly index: number },
): readonly [Placement, Placement] => {
  const given = one.placement.slots.get(one.index) ?? null;
  const taken = other.placement.slots.get(other.index) ?? null;
  const receive = (placement: Placement, index: number, image: string | null) =>
    withSlots(image === null ? placement : fromTray(placement, image), [[index, image]]);
  return [receive(one.placement, one.index, taken), receive(other.placement, other.index, given)];
};

/** Returns whether the image is mounted in any slot. */
export const isMounted = (placement: Placement, image: string): boolean => slotOf(placement, image) !== null;
