import { about, welcome } from './about.ts';
import { accountInfo, firstAdministrator, roleClaims, roles } from './account.ts';
import { customerGet, customerGetAll } from './customers.ts';
import { getImage, thumbnail } from './images.ts';
import {
  importBatch,
  importBegin,
  importCancel,
  importConfirm,
  importDicom,
  importGet,
  importParse,
  importsOpen,
} from './imports.ts';
import { patientCreate, patientGet, patientSearch, patientSearchPrivate } from './patients.ts';
import { studiesByPatient } from './studies.ts';
import { templates, viewsetGet } from './viewsets.ts';

/** Every call that this version answers. What is not here is not built. */
export const routes = {
  about,
  welcome,
  accountInfo,
  firstAdministrator,
  roleClaims,
  roles,
  customerGet,
  customerGetAll,
  patientSearch,
  patientSearchPrivate,
  patientGet,
  patientCreate,
  studiesByPatient,
  viewsetGet,
  templates,
  getImage,
  thumbnail,
  importBegin,
  importDicom,
  importBatch,
  importParse,
  importCancel,
  importConfirm,
  importGet,
  importsOpen,
} as const;
