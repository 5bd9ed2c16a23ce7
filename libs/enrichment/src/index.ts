export type { FacetInput, FacetModel, FacetReply } from './facet-model.js';
