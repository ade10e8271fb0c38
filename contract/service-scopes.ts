import { z } from 'zod';

/** What service accounts and other programs may do, as scopes of their tokens: search and fetch, or send images. */
export const serviceScopes = ['dicomweb.read', 'dicomweb.write'] as const;
export const serviceScope = z.enum(serviceScopes);
export type ServiceScope = z.infer<typeof serviceScope>;
