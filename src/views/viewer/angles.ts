/** Tenths of a degree, from 0 to below 360. */
export const wholeTurn = (degrees: number): number => (((Math.round(degrees * 10) % 3600) + 3600) % 3600) / 10;

/** The same angle from above -180 to 180: which way, and how far. */
export const signedAngle = (rotation: number): number => (rotation > 180 ? rotation - 360 : rotation);
