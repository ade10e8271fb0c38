import { customerRestore, deletedClinicsGet } from './deleted-clinics.ts';
import {
  destructionApprove,
  destructionList,
  destructionPropose,
  destructionRefuse,
  destructionRevoke,
} from './destruction.ts';
import { retentionDue } from './retention.ts';

/** The routes by which deleted clinics are restored, and records are destroyed when their retention has ended. */
export const retentionRoutes = {
  deletedClinicsGet,
  customerRestore,
  retentionDue,
  destructionList,
  destructionPropose,
  destructionApprove,
  destructionRefuse,
  destructionRevoke,
} as const;
