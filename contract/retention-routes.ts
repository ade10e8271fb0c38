import { customerRestore, deletedClinicsGet } from './deleted-clinics.ts';
import { retentionDue } from './retention.ts';

/** The routes by which deleted clinics are restored, and records are destroyed when their retention has ended. */
export const retentionRoutes = {
  deletedClinicsGet,
  customerRestore,
  retentionDue,
} as const;
