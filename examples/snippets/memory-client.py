import ssl

import urllib3

context = ssl.create_default_context()
client = urllib3.PoolManager(maxsize=20, ssl_context=context)
print(len(context.get_ca_certs()), "certificates, parsed once")
