import type { Claim } from '../contract/claims.ts';
import type { StandardTemplate } from '../server/domain/standard-templates.ts';
import type { Recipe } from './recipe.ts';

/** Ids are UUIDs in lower case and UIDs are under 2.25; all are the same in every run. Dates are YYYY-MM-DD, times YYYY-MM-DDTHH:MM:SS. */
export interface DemoClinic {
  readonly customers: readonly DemoCustomer[];
  readonly roles: readonly DemoRole[];
  readonly users: readonly DemoUser[];
  readonly templates: readonly StandardTemplate[];
  readonly patients: readonly DemoPatient[];
}

export interface DemoCustomer {
  readonly id: string;
  readonly organisationName: string;
  readonly organisationNumber: string;
  readonly customerNumber: string;
  readonly address: string;
  readonly city: string;
  readonly zipcode: string;
  readonly telephone: string;
  readonly description: string;
  readonly license: string;
  readonly useProxy: boolean;
}

export type DemoRoleName = 'SuperAdmin' | 'CustomerAdmin' | 'Doctor';

export interface DemoRole {
  readonly id: string;
  readonly name: DemoRoleName;
  /** 0 is the highest. */
  readonly rank: 0 | 1 | 2;
  /** `group.name`, as in the claim list of the product, for example `user.get`. */
  readonly claims: readonly Claim[];
}

export interface DemoUser {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  readonly firstName: string;
  readonly lastName: string;
  /** 12 digits YYYYMMDDNNNN, from the range of test numbers. */
  readonly personalNumber: string;
  /** User name in the directory of the Azure AD test server; `null` for users without one. */
  readonly azureUsername: string | null;
  readonly telephone: string;
  readonly hiredSince: string;
  readonly isActive: boolean;
  /** `null` for the super administrator, who has no clinic. */
  readonly customerId: string | null;
  readonly roleId: string;
  readonly roleName: DemoRoleName;
}

export interface DemoPatient {
  readonly id: string;
  readonly customerId: string;
  /** The (0010,0020) of the images. */
  readonly patientId: string;
  /** 12 digits YYYYMMDDNNNN, from the range of test numbers. */
  readonly personalNumber: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly birthDate: string;
  readonly sex: 'M' | 'F';
  readonly comments: string;
  readonly studies: readonly DemoStudy[];
}

export interface DemoStudy {
  readonly uid: string;
  readonly description: string;
  readonly accessionNumber: string;
  readonly startedAt: string;
  readonly series: readonly DemoSeries[];
  readonly viewset: DemoViewset | null;
}

export interface DemoSeries {
  readonly uid: string;
  readonly number: number;
  readonly modality: 'IO' | 'DX' | 'PX' | 'CR' | 'CT' | 'XC';
  readonly description: string;
  readonly images: readonly DemoImage[];
}

export interface DemoImage {
  readonly sopInstanceUid: string;
  readonly number: number;
  readonly acquiredAt: string;
  readonly comment: string;
  /** ISO 3950 numbers, as in the contract. */
  readonly teeth: readonly number[];
  readonly recipe: Recipe;
}

export interface DemoViewset {
  readonly viewSetUuid: string;
  readonly uid: string;
  readonly name: string;
  readonly comments: string;
  readonly templateUuid: string;
  /** One per filled slot; other slots are empty. */
  readonly placements: readonly { readonly itemIndex: number; readonly sopInstanceUid: string }[];
  /** SOP instance UIDs of images of the study that are not mounted, such as a failed exposure. */
  readonly detached: readonly string[];
}
