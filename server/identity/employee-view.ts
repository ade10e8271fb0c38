import type { z } from 'zod';
import type { colleague, Employee } from '../../contract/users.ts';
import type { EmployeeRow } from '../db/stores/employee-store.ts';
import type { LinkSession } from '../web/signed-links.ts';
import type { PictureLinks } from './picture-links.ts';

export const employeeOf = (row: EmployeeRow, links: Pick<PictureLinks, 'linkTo'>, session: LinkSession): Employee => ({
  id: row.id,
  email: row.email,
  firstName: row.firstName,
  lastName: row.lastName,
  personalNumber: row.personalNumber,
  telephone: row.telephone,
  hiredSince: row.hiredSince,
  isActive: row.isActive,
  customerId: row.customerId,
  customer:
    row.customerId === null || row.country === null
      ? null
      : { id: row.customerId, name: row.customerName ?? '', country: row.country },
  role: { id: row.roleId, name: row.roleName, rank: row.roleRank },
  azureUsername: row.azureUsername,
  avatarLink: row.avatarLink,
  picture: row.pictureId === null ? null : links.linkTo(row.id, row.pictureId, session),
  twoFactorEnabled: row.twoFactorEnabled,
  hasPassword: row.hasPassword,
  createdAt: row.createdAt.toISOString(),
  securityStamp: row.securityStamp,
  version: row.version,
});

export const colleagueOf = (row: EmployeeRow): z.input<typeof colleague> => ({
  id: row.id,
  firstName: row.firstName,
  lastName: row.lastName,
  email: row.email,
  isActive: row.isActive,
  role: row.roleName,
});
