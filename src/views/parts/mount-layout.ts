export interface Slot {
  readonly xPos: number;
  readonly yPos: number;
  readonly width: number;
  readonly height: number;
}

export interface Frame {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The largest rectangle of the mount's proportion that lies in `room`, in the middle of it. All in CSS pixels. */
export const mountFrame = (
  mount: { width: number; height: number },
  room: { width: number; height: number },
): Frame => {
  const scale = Math.min(room.width / mount.width, room.height / mount.height);
  const width = Number.isFinite(scale) && scale > 0 ? mount.width * scale : 0;
  const height = Number.isFinite(scale) && scale > 0 ? mount.height * scale : 0;
  return { left: (room.width - width) / 2, top: (room.height - height) / 2, width, height };
};

/** Where a slot lies in a frame of the mount. Neighbours share their edge: no pixel between them and none twice. */
export const slotFrame = (slot: Slot, mount: { width: number; height: number }, frame: Frame): Frame => {
  const left = Math.round(frame.left + (slot.xPos / mount.width) * frame.width);
  const top = Math.round(frame.top + (slot.yPos / mount.height) * frame.height);
  const right = Math.round(frame.left + ((slot.xPos + slot.width) / mount.width) * frame.width);
  const bottom = Math.round(frame.top + ((slot.yPos + slot.height) / mount.height) * frame.height);
  return { left, top, width: right - left, height: bottom - top };
};
