"""The service over HTTP. Every path is a row of `endpoints.ENDPOINTS`, from which the OpenAPI document is made, too.

endpoints   what an endpoint is: path, who may, what comes and goes
app         from a connection to an endpoint and back: who asks, faults as data, limits
intake      events that come: the one path that has to be fast
shapes      bodies and answers, as types
requests, history, streams, monitor, sites, operations    the endpoints by what they are about
openapi     the document
"""
