import { z } from 'zod';
import { uuid } from './bounds.ts';
import { type Access, emptyReply, route } from './route.ts';

/** Microsoft Entra ID (Azure AD): application and directory (tenant). */
export const azureSettings = z.object({ clientId: uuid, tenantId: uuid });
export type AzureSettings = z.infer<typeof azureSettings>;

const path = '/api/Configuration/azure-ad';
/** Super administrators without the limit on settings. */
const access: Access = { signedIn: true, anyOf: ['user.get_sa'], unless: 'disable.settings' };

export const azureGet = route({ method: 'GET', path, access, reply: azureSettings.nullable() });
export const azureSave = route({
  method: 'POST',
  path,
  access,
  body: z.strictObject(azureSettings.shape),
  reply: azureSettings,
});
export const azureDelete = route({ method: 'DELETE', path, access, reply: emptyReply });
