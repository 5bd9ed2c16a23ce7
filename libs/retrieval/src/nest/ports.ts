export const PORTS = Symbol('retrieval ports');
