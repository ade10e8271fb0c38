import { z } from 'zod';

/** What a service account may do, as scopes of its tokens: search and fetch, or send images. */
export const serviceScopes = ['dicomweb.read', 'dicomweb.write'] as const;
export const serviceScope = z.enum(serviceScopes);
export type ServiceScope = z.infer<typeof serviceScope>;
