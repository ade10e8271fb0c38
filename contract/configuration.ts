import { z } from 'zod';
import { type Access, route } from './route.ts';

/** Microsoft Entra ID (Azure AD): the archive's application and the directory of its people. */
export const azureSettings = z.object({ clientId: z.uuid(), tenantId: z.uuid() });
export type AzureSettings = z.infer<typeof azureSettings>;

const path = '/api/Configuration/azure-ad';
/** Of those who administer the installation, whoever may change how the program is set. */
const access: Access = { signedIn: true, anyOf: ['user.get_sa'], unless: 'disable.settings' };

export const azureGet = route({ method: 'GET', path, access, reply: azureSettings.nullable() });
export const azureSave = route({
  method: 'POST',
  path,
  access,
  body: z.strictObject(azureSettings.shape),
  reply: azureSettings,
});
export const azureDelete = route({ method: 'DELETE', path, access, reply: z.object({}) });
